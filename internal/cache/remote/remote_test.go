package remote

import (
	"context"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/skill-ls/skill-ls/internal/cache"
	"github.com/skill-ls/skill-ls/internal/cache/remote/httpstore"
)

// told collects warnings.
type told struct {
	mu    sync.Mutex
	texts []string
}

func (w *told) add(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.texts = append(w.texts, text)
}

func connect(t *testing.T, address string) (*Store, *told) {
	t.Helper()
	w := &told{}
	s, err := New(address, w.add)
	if err != nil {
		t.Fatal(err)
	}
	return s, w
}

func key(text string) cache.Key {
	h := cache.NewHasher("test")
	h.Add(text)
	return h.Key()
}

// Two programs share what one has put; the blob lies under its hash, and what names it is an ActionResult.
func TestStore(t *testing.T) {
	ctx, kept := context.Background(), httpstore.New()
	server := httptest.NewServer(kept)
	defer server.Close()
	one, warned := connect(t, server.URL)
	two, _ := connect(t, server.URL+"/")
	if _, ok := one.Get(ctx, key("a")); ok {
		t.Error("an empty cache has a result")
	}
	for name, data := range map[string]string{"a": "result", "empty": "", "long": strings.Repeat("x", 300)} {
		one.Put(ctx, key(name), []byte(data))
		if got, ok := two.Get(ctx, key(name)); !ok || string(got) != data {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
		if blob, ok := kept.Blob("/cas/" + hashOf([]byte(data))); !ok || string(blob) != data {
			t.Errorf("%s: the blob is %q, %v", name, blob, ok)
		}
	}
	// As protoc decodes it: field 6 { field 1: the hash, field 2: 6 }.
	message, _ := kept.Blob("/ac/" + key("a").String())
	want := "3244" + "0a40" + hex.EncodeToString([]byte(hashOf([]byte("result")))) + "1006"
	if got := hex.EncodeToString(message); got != want {
		t.Errorf("the message is %s, want %s", got, want)
	}
	if len(warned.texts) > 0 {
		t.Errorf("warned: %q", warned.texts)
	}
}

// Results of other programs have more fields, and a cache may have lost or spoilt a blob: that is no result.
func TestStoreChecksWhatItGets(t *testing.T) {
	ctx, kept := context.Background(), httpstore.New()
	server := httptest.NewServer(kept)
	defer server.Close()
	s, warned := connect(t, server.URL)
	blob := []byte("result")
	good := digest{hashOf(blob), uint64(len(blob))}.encode()
	more := append([]byte{4<<3 | varintType, 0, 15<<3 | fixed32, 1, 2, 3, 4, 14<<3 | fixed64, 1, 2, 3, 4, 5, 6, 7, 8, 8<<3 | bytesType, 1, 'x'}, good...)
	for name, c := range map[string]struct {
		message, blob []byte
		ok            bool
	}{
		"as put":        {good, blob, true},
		"other fields":  {more, blob, true},
		"spoilt blob":   {good, []byte("Result"), false},
		"cut message":   {good[:len(good)-3], blob, false},
		"empty message": {nil, blob, false},
		"other text":    {[]byte("<html>"), blob, false},
		"other size":    {digest{hashOf(blob), 7}.encode(), blob, false},
		"path as hash":  {digest{strings.Repeat("../", 22)[:64], 6}.encode(), blob, false},
	} {
		kept.Set("/ac/"+key("a").String(), c.message)
		kept.Set("/cas/"+hashOf(blob), c.blob)
		if got, ok := s.Get(ctx, key("a")); ok != c.ok || ok && string(got) != "result" {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
	if len(warned.texts) > 0 {
		t.Errorf("warned: %q", warned.texts)
	}
}

// A cache that fails is told of once, without credentials, and not asked again.
func TestStoreFailsOpen(t *testing.T) {
	ctx := context.Background()
	asked := 0
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was followed elsewhere") }))
	defer elsewhere.Close()
	for name, answer := range map[string]http.HandlerFunc{
		"fault": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "out of order", http.StatusInternalServerError)
		},
		"no access": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
		"redirect":  func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, http.StatusFound) },
		"cut": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte("x"))
		},
		"endless": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, mostAction+1)) },
	} {
		asked = 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked++; answer(w, r) }))
		s, warned := connect(t, strings.Replace(server.URL, "http://", "http://ada:hunter2secret@", 1))
		for range 3 {
			if _, ok := s.Get(ctx, key("a")); ok {
				t.Errorf("%s: there is a result", name)
			}
			s.Put(ctx, key("a"), []byte("x"))
		}
		if len(warned.texts) != 1 || !strings.Contains(warned.texts[0], "not used any more") || strings.Contains(warned.texts[0], "hunter2") || asked != 1 {
			t.Errorf("%s: asked %d times, warned %q", name, asked, warned.texts)
		}
		server.Close()
	}
}

// Nobody listens.
func TestStoreWithoutServer(t *testing.T) {
	server := httptest.NewServer(nil)
	address := server.URL
	server.Close()
	s, warned := connect(t, address)
	s.Put(context.Background(), key("a"), []byte("x"))
	if len(warned.texts) != 1 || strings.Count(warned.texts[0], "/cas/") > 0 {
		t.Errorf("warned %q", warned.texts)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	s, warned = connect(t, address)
	if _, ok := s.Get(canceled, key("a")); ok || len(warned.texts) > 0 {
		t.Errorf("an interrupt is told as a fault of the cache: %q", warned.texts)
	}
}

// The user's name and password go with each request; a cache that lets nobody write is still read.
func TestStoreReadsWithCredentials(t *testing.T) {
	ctx, kept := context.Background(), httpstore.New()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		switch {
		case user != "ada" || password != "hunter2secret":
			w.WriteHeader(http.StatusUnauthorized)
		case r.Method == http.MethodPut:
			w.WriteHeader(http.StatusForbidden)
		default:
			kept.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	blob := []byte("result")
	kept.Set("/cas/"+hashOf(blob), blob)
	kept.Set("/ac/"+key("a").String(), digest{hashOf(blob), 6}.encode())
	s, warned := connect(t, strings.Replace(server.URL, "http://", "http://ada:hunter2secret@", 1))
	s.Put(ctx, key("b"), blob)
	if got, ok := s.Get(ctx, key("a")); !ok || string(got) != "result" || len(warned.texts) > 0 {
		t.Errorf("%q, %v, warned %q", got, ok, warned.texts)
	}
}

func TestAddresses(t *testing.T) {
	for _, address := range []string{"", "cache", "ftp://x/", "grpc://x", "http://", "http://x/?key=1", "http://ada:hunter2secret@x/%zz"} {
		if _, err := New(address, nil); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(digest{strings.Repeat("a", 64), 5}.encode())
	f.Add([]byte{0x32, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, message []byte) {
		d, err := decode(message)
		if err != nil || d.hash == "" {
			return
		}
		if again, err := decode(d.encode()); err != nil || again != d {
			t.Errorf("%+v became %+v, %v", d, again, err)
		}
	})
}
