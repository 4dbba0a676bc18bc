// Remote measures skilllint with a remote cache on this machine, an HTTP store in memory: a list of generated skills without the
// cache, with one that is empty, and with one that has everything.
package main

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/skill-ls/skill-ls/bench/gen"
	"github.com/skill-ls/skill-ls/bench/measure"
	"github.com/skill-ls/skill-ls/internal/cache/remote/httpstore"
)

func main() {
	bin := flag.String("bin", "bin/skilllint", "the program to measure")
	count := flag.Int("skills", 10_000, "how many skills")
	size := flag.Int("size", 5<<10, "bytes of a SKILL.md")
	flag.Parse()
	if err := measured(*bin, *count, *size); err != nil {
		fmt.Fprintln(os.Stderr, "remote:", err)
		os.Exit(1)
	}
}

func measured(bin string, count, size int) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return fmt.Errorf("find the program: %w", err)
	}
	dir, err := os.MkdirTemp("", "skilllint-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for the skills: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := gen.Write(filepath.Join(dir, "skills"), count, size); err != nil {
		return err
	}
	var list strings.Builder
	for n := range count {
		fmt.Fprintf(&list, "skills/%s\n", gen.New(n, size).Name)
	}
	if err := os.WriteFile(filepath.Join(dir, "list"), []byte(list.String()), 0o644); err != nil {
		return fmt.Errorf("write the list: %w", err)
	}
	store := httpstore.New()
	server := httptest.NewServer(store)
	defer server.Close()
	args := []string{"lint", "--files-from", "list", "--format", "jsonl", "--fail-on", "never"}
	cached := append(args[:len(args):len(args)], "--remote-cache", server.URL)
	for _, run := range []struct {
		what string
		args []string
	}{{"brings the files into memory", args}, {"without a cache", args}, {"with an empty one", cached}, {"with a full one", cached}} {
		gets, puts := store.Asked(http.MethodGet), store.Asked(http.MethodPut)
		r, err := measure.Run(bin, run.args, dir)
		if err != nil {
			return err
		}
		fmt.Printf("%-30s %6.2f s, processor %6.2f s, %d requests for a result, %d put\n", run.what, r.Wall.Seconds(), r.CPU.Seconds(),
			store.Asked(http.MethodGet)-gets, store.Asked(http.MethodPut)-puts)
	}
	return nil
}
