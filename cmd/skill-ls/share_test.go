package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/skill-ls/skill-ls/internal/version"
)

var update = flag.Bool("update", false, "rewrite the manual page")

// TestManual holds the manual page against the flags; -update writes it.
func TestManual(t *testing.T) {
	date := time.Date(2026, time.November, 30, 0, 0, 0, 0, time.UTC) // it has to stay while nothing else changes
	cmd := &cobra.Command{
		Use: "skill-ls", Short: "Language server for Agent Skills", DisableAutoGenTag: true, Run: func(*cobra.Command, []string) {},
		Long: "skill-ls speaks the Language Server Protocol on standard input and output. An editor starts it, and shows what it finds in\n" +
			"skills and in configurations of MCP servers.",
	}
	cmd.Flags().AddGoFlagSet(new(options).flags())
	var b bytes.Buffer
	header := &doc.GenManHeader{Section: "1", Date: &date, Source: "skill-ls " + version.Development, Manual: "Skilllint"}
	if err := doc.GenMan(cmd, header, &b); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("..", "..", "share", "man", "skill-ls.1")
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := os.ReadFile(file); err != nil || !bytes.Equal(data, b.Bytes()) {
		t.Errorf("share/man/skill-ls.1 is not what the flags say; make share writes it (%v)", err)
	}
}
