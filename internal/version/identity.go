package version

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// Identity names what this program does to the same input: two programs of one identity do the same. That is the version
// and the commit of a release; a program that is none has that of its bytes, for nobody says what it was built from.
var Identity = sync.OnceValues(func() (string, error) {
	if text := Text(); number != "" && commit != "" && !strings.HasPrefix(text, Development) {
		return text, nil
	}
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	file, err := os.Open(self)
	if err != nil {
		return "", fmt.Errorf("read this program: %w", err)
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", fmt.Errorf("read this program: %w", err)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
})
