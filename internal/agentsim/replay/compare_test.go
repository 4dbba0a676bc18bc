package replay

import (
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/agentsim/recording"
	"github.com/skill-ls/skill-ls/internal/catalog"
)

// recorded returns the result of a call as it is read from a recording.
func recorded(t *testing.T, result string) *recording.Result {
	t.Helper()
	v := &last{}
	if _, err := recording.Read(strings.NewReader(call("x", "{}", result)), "", v); err != nil {
		t.Fatal(err)
	}
	return v.result
}

// last remembers the result of a recording's last call.
type last struct{ result *recording.Result }

func (*last) Start(*recording.Summary)     {}
func (*last) Turn(string, string)          {}
func (*last) Begin(*recording.Call)        {}
func (l *last) End(c *recording.Call)      { l.result = c.Result }
func (*last) Offered(*catalog.Server, int) {}

// TestTextEdits compares what a model saw with results of today: clients put blocks together in their own ways.
func TestTextEdits(t *testing.T) {
	for _, c := range []struct{ was, now, want string }{
		{`{"content":[{"type":"text","text":"a"}]}`, `{"content":[{"type":"text","text":"a"}]}`, ""},
		{`{"content":[{"type":"text","text":"a\nb"}]}`, `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, ""},
		{`{"content":[{"type":"text","text":"ab"}]}`, `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, ""},
		{`{"content":[{"type":"text","text":"{\"a\": 1}"}]}`, `{"content":[{"type":"text","text":"one"}],"structuredContent":{"a":1}}`, ""},
		{`{"content":[{"type":"text","text":"{\"a\": 1, \"b\": 2}"}]}`, `{"content":[{"type":"text","text":"{\"b\": 2, \"a\": 3}"}]}`, "changed /content/0/text/a"},
		{`{"content":[{"type":"text","text":"{\"a\": 1}"}]}`, `{"content":[{"type":"text","text":"one"}],"structuredContent":{"a":1,"b":2}}`, "added /content/0/text/b"},
		{`{"content":[{"type":"text","text":"a"}]}`, `{"content":[{"type":"text","text":"b"}]}`, "changed /content/0/text"},
		{`{"content":[{"type":"text","text":"one [image]"}]}`, `{"content":[{"type":"text","text":"one"},{"type":"image","data":"AA"}]}`, ""},
		{`{"content":[{"type":"text","text":"two [image]"}]}`, `{"content":[{"type":"text","text":"one"},{"type":"image","data":"AA"}]}`, "changed /content/0/text"},
		{`{"content":[{"type":"text","text":"Error: no such page"}],"failed":true}`, `{"content":[{"type":"text","text":"no such page"}],"isError":true}`, ""},
		{`{"content":[{"type":"text","text":"page 4"}]}`, `{"content":[{"type":"text","text":"no such page"}],"isError":true}`, "changed /content/0/text"},
		{`{"content":[{"type":"text","text":"at 2026-01-01T10:00:00Z"}]}`, `{"content":[{"type":"text","text":"at 2026-11-30T17:00:00Z"}]}`, ""},
	} {
		masks, err := NewMasks(DefaultMasks, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		now, err := catalog.Parse(c.now)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range textEdits(masks, recorded(t, c.was), now) {
			got = append(got, string(e.Op)+" "+e.Pointer)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s and %s: got %q, want %q", c.was, c.now, got, c.want)
		}
	}
}

func TestMasks(t *testing.T) {
	for _, c := range []struct{ mask, in, want string }{
		{"time", `"2026-11-30T17:00:00.123Z and 2026-11-30 and Mon, 30 Nov 2026 17:00:00 GMT, took 12 ms or 0.5s"`, `"<time> and <time> and <time>, took <duration> or <duration>"`},
		{"time", `{"createdAt":1796058000123,"modified_at":1.5,"count":3,"times":[1,2]}`, `{"createdAt":"<time>","modified_at":"<time>","count":3,"times":["<time>","<time>"]}`},
		{"id", `"7f0e2f60-0000-4000-8000-0123456789ab, 0123456789abcdef01, 01ARZ3NDEKTSV4RRFFQ69G5FAV, cafe"`, `"<id>, <id>, <id>, cafe"`},
		{"path", `"/home/ann/shop/a.txt and C:\\Users\\ann\\b.txt and src/c.txt and https://shop.example/d/e.txt"`, `"<path>/a.txt and <path>/b.txt and src/c.txt and https://shop.example/d/e.txt"`},
		{"port", `"http://127.0.0.1:40123/x localhost:8080 shop.example:443"`, `"http://127.0.0.1:<port>/x localhost:<port> shop.example:443"`},
		{"number", `{"a":17,"b":"3 of 4.5"}`, `{"a":"<number>","b":"<number> of <number>"}`},
		{"", `{"a":"2026-11-30"}`, `{"a":"2026-11-30"}`},
	} {
		var names []string
		if c.mask != "" {
			names = []string{c.mask}
		}
		checkMask(t, names, nil, nil, c.in, c.want)
	}
	checkMask(t, nil, []string{`run \d+`}, nil, `["run 17 is on", "run"]`, `["<masked> is on","run"]`)
	checkMask(t, nil, nil, []string{"/content/*/text", "/**/id"}, `{"content":[{"text":"a"},{"text":{"b":1}}],"x":{"y":[{"id":1,"z":2}]},"id":3}`,
		`{"content":[{"text":"<masked>"},{"text":"<masked>"}],"x":{"y":[{"id":"<masked>","z":2}]},"id":"<masked>"}`)
}

func checkMask(t *testing.T, names, patterns, pointers []string, in, want string) {
	t.Helper()
	m, err := NewMasks(names, patterns, pointers)
	if err != nil {
		t.Fatal(err)
	}
	n, err := catalog.Parse(in)
	if err != nil {
		t.Fatal(err)
	}
	once := m.apply(n)
	if once.Raw() != want {
		t.Errorf("%v %v %v: got\n%s\nwant\n%s", names, patterns, pointers, once.Raw(), want)
	}
	if twice := m.apply(once); twice.Hash() != once.Hash() {
		t.Errorf("%s is masked again to %s", once.Raw(), twice.Raw())
	}
}
