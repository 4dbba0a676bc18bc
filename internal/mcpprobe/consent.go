package mcpprobe

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// Mode says what may be started.
type Mode string

// The modes. Anything else counts as Off.
const (
	Off     Mode = "off"     // nothing
	Trusted Mode = "trusted" // what the user has consented to before
	All     Mode = "all"     // everything: the caller has consent for this run
)

// Key identifies the whole definition: any change of it, of the program it resolves to, or of that program's file
// gives another key, so that consent to one definition never covers the next.
func (l Launch) Key() string {
	subject := struct {
		Launch
		Binary string
		Size   int64
		Time   time.Time
	}{Launch: l, Binary: l.binary()}
	subject.Config = canonical(l.Config)
	if info, err := os.Stat(subject.Binary); err == nil {
		subject.Size, subject.Time = info.Size(), info.ModTime().UTC()
	}
	data, _ := json.Marshal(subject) // strings, numbers and maps, which are sorted
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Consents are the definitions a user has agreed to have started. They are kept in a file of the user's own, never
// in a workspace. schemas/consent.schema.json describes it.
type Consents struct {
	path string
	file consentFile
}

type consentFile struct {
	Version  int       `json:"version"`
	Consents []consent `json:"consents"`
}

// consent names the server for the user who reads the file; only the key counts.
type consent struct {
	Key     string    `json:"key"`
	Server  string    `json:"server"`
	Config  string    `json:"config,omitempty"`
	Granted time.Time `json:"granted"`
}

const consentVersion = 1

// ConsentFile returns where consents are kept unless somebody says otherwise.
func ConsentFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("find the folder for consents: %w", err)
	}
	return filepath.Join(dir, "skill-ls", "mcp-consent.json"), nil
}

// LoadConsents reads the file. One that does not exist holds no consent; one that others may write is refused.
func LoadConsents(path string) (*Consents, error) {
	c := &Consents{path: path, file: consentFile{Version: consentVersion, Consents: []consent{}}}
	data, err := readPrivate(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &c.file)
	}
	if err == nil && c.file.Version != consentVersion {
		err = fmt.Errorf("version %d is not known", c.file.Version)
	}
	if err != nil {
		return nil, fmt.Errorf("read consents in %s: %w", path, err)
	}
	return c, nil
}

func readPrivate(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && info.Mode()&0o022 != 0 {
		return nil, fmt.Errorf("others may write it (mode %04o); make it 0600", info.Mode().Perm())
	}
	return os.ReadFile(path)
}

// Has reports whether the user has consented to exactly this definition. Nobody has consented to anything in nil.
func (c *Consents) Has(l Launch) bool {
	return c != nil && c.find(l.Key()) >= 0
}

func (c *Consents) find(key string) int {
	return slices.IndexFunc(c.file.Consents, func(e consent) bool { return e.Key == key })
}

// Grant records consent to the definition and writes the file.
func (c *Consents) Grant(l Launch, now time.Time) error {
	if c.Has(l) {
		return nil
	}
	e := consent{Key: l.Key(), Server: l.Name, Config: canonical(l.Config), Granted: now.UTC().Truncate(time.Second)}
	c.file.Consents = append(c.file.Consents, e)
	return c.write()
}

// Revoke forgets consent to the definition and writes the file.
func (c *Consents) Revoke(l Launch) error {
	i := c.find(l.Key())
	if i < 0 {
		return nil
	}
	c.file.Consents = slices.Delete(c.file.Consents, i, i+1)
	return c.write()
}

// write replaces the file in one step, readable for the user only.
func (c *Consents) write() error {
	data, err := json.MarshalIndent(c.file, "", "  ")
	if err == nil {
		err = replaceFile(c.path, append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write consents to %s: %w", c.path, err)
	}
	return nil
}

func replaceFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // has mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
