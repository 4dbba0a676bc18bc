package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/skill-ls/skill-ls/internal/version"
)

// documented is the date in manual pages, which has to stay what it is while nothing else changes.
var documented = time.Date(2026, time.November, 30, 0, 0, 0, 0, time.UTC)

// TestShare holds the manual pages and completions in share against the commands themselves; -update writes them.
func TestShare(t *testing.T) {
	root := newRoot(&app{})
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	root.DisableAutoGenTag = true
	want := completions(t, root)
	manuals(t, root, want)
	compareShare(t, "completions", want)
	compareShare(t, "man", want)
}

func completions(t *testing.T, root *cobra.Command) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, generate := range map[string]func(*bytes.Buffer) error{
		"skilllint.bash": func(b *bytes.Buffer) error { return root.GenBashCompletionV2(b, true) },
		"_skilllint":     func(b *bytes.Buffer) error { return root.GenZshCompletion(b) },
		"skilllint.fish": func(b *bytes.Buffer) error { return root.GenFishCompletion(b, true) },
		"skilllint.ps1":  func(b *bytes.Buffer) error { return root.GenPowerShellCompletionWithDesc(b) },
	} {
		var b bytes.Buffer
		if err := generate(&b); err != nil {
			t.Fatal(err)
		}
		out["completions/"+name] = b.String()
	}
	return out
}

func manuals(t *testing.T, cmd *cobra.Command, out map[string]string) {
	t.Helper()
	var b bytes.Buffer
	header := &doc.GenManHeader{Section: "1", Date: &documented, Source: "skilllint " + version.Development, Manual: "Skilllint"}
	if err := doc.GenMan(cmd, header, &b); err != nil {
		t.Fatal(err)
	}
	out["man/"+strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"] = b.String()
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			manuals(t, sub, out)
		}
	}
}

// compareShare compares one folder below share with what its files should be, the pages of skill-ls left out.
func compareShare(t *testing.T, folder string, want map[string]string) {
	t.Helper()
	share := filepath.Join("..", "..", "share")
	have := map[string]bool{}
	_ = filepath.WalkDir(filepath.Join(share, folder), func(file string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !strings.HasPrefix(e.Name(), "skill-ls.") {
			have[folder+"/"+e.Name()] = true
		}
		return nil // where there is no folder yet, all of it is missing
	})
	for name, text := range want {
		if !strings.HasPrefix(name, folder+"/") {
			continue
		}
		delete(have, name)
		file := filepath.Join(share, filepath.FromSlash(name))
		if *update {
			write(t, file, text)
		}
		if data, err := os.ReadFile(file); err != nil || string(data) != text {
			t.Errorf("share/%s is not what the commands say; make share writes it (%v)", name, err)
		}
	}
	for name := range have {
		t.Errorf("share/%s belongs to no command; remove it", name)
	}
}

// Completions name the words that there are.
func TestCompletions(t *testing.T) {
	for typed, want := range map[string]string{
		"lint --client cod":                   "codex\n",
		"clients --client pi,cod":             "pi,codex\n",
		"--fail-on w":                         "warning\n",
		"lint --select yaml/unquoted-c":       "yaml/unquoted-colon\n",
		"lint --severity yaml/unquoted-colon": "yaml/unquoted-colon=\n",
		"explain yaml/unquoted-colon":         "yaml/unquoted-colon\n",
		"simulate --format pro":               "prompt\n",
		"capt":                                "capture\tShows what an installed client really sends to its model\n",
	} {
		var out, errOut bytes.Buffer
		args := append([]string{"__complete"}, strings.Split(typed, " ")...)
		if status := run(args, strings.NewReader(""), &out, &errOut); status != 0 || !strings.Contains(out.String(), want) {
			t.Errorf("%q: status %d, %q lacks %q; %s", typed, status, out.String(), want, errOut.String())
		}
	}
}
