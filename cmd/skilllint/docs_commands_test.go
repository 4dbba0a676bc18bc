package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var (
	codeBlock  = regexp.MustCompile("(?ms)^[ \t]*```.*?^[ \t]*```$")
	lineInCode = regexp.MustCompile(`(?m)^[ \t]*(?:\$ )?((?:skilllint|make|go run|go test) .*)`)
	codeInText = regexp.MustCompile("`((?:skilllint|make|go run|go test) [^`]*)`")
)

// commandsIn returns the command lines of a page: lines of blocks of code, and code within sentences.
func commandsIn(text string) []string {
	var out []string
	for _, block := range codeBlock.FindAllString(text, -1) {
		for _, m := range lineInCode.FindAllStringSubmatch(block, -1) {
			out = append(out, m[1])
		}
	}
	for _, m := range codeInText.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
		out = append(out, m[1])
	}
	return out
}

// TestDocsCommands wants the commands that pages name to be there: subcommands and flags of skilllint, targets of make, and
// packages.
func TestDocsCommands(t *testing.T) {
	makefile := string(must(os.ReadFile(filepath.Join(repository, "Makefile"))))
	seen := map[string]int{}
	for _, page := range append(writtenPages(t), "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "schemas/README.md", "skills/skilllint/SKILL.md") {
		text := string(must(os.ReadFile(filepath.Join(repository, filepath.FromSlash(page)))))
		for _, command := range commandsIn(text) {
			command, _, _ = strings.Cut(command, " #")
			command, _, _ = strings.Cut(command, " && ")
			program, rest, _ := strings.Cut(command, " ")
			seen[program]++
			if fault := unknownIn(program, strings.Fields(rest), makefile); fault != "" {
				t.Errorf("%s: %s: %s", page, command, fault)
			}
		}
	}
	if seen["skilllint"] < 50 || seen["make"] < 5 || seen["go"] < 5 {
		t.Errorf("too few commands were found to be checked: %v", seen)
	}
}

// unknownIn says what a command line names that there is not, or nothing.
func unknownIn(program string, args []string, makefile string) string {
	switch program {
	case "make":
		for _, target := range args {
			if !strings.Contains(target, "=") && !strings.Contains(makefile, "\n"+target+":") {
				return "no target is called " + target
			}
		}
	case "go":
		return unknownInGo(args)
	default:
		root := newRoot(&app{})
		cmd, rest, err := root.Find(args)
		if err != nil {
			return err.Error()
		}
		return unknownFlag(cmd, rest)
	}
	return ""
}

var testName = regexp.MustCompile(`Test\w+`)

// unknownInGo wants the packages of a go command to be there, and the tests that it names to be in them.
func unknownInGo(args []string) string {
	sources := ""
	for _, arg := range args {
		folder, ok := strings.CutPrefix(arg, "./")
		if !ok || strings.HasSuffix(arg, "...") {
			continue
		}
		files, err := filepath.Glob(filepath.Join(repository, filepath.FromSlash(folder), "*.go"))
		if err != nil || files == nil {
			return "there is no package " + folder
		}
		for _, file := range files {
			sources += string(must(os.ReadFile(file)))
		}
	}
	for _, name := range testName.FindAllString(strings.Join(args, " "), -1) {
		if !strings.Contains(sources, "func "+name) {
			return "no test is called " + name
		}
	}
	return ""
}

func unknownFlag(cmd *cobra.Command, args []string) string {
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	for _, arg := range args {
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.Trim(arg, "[],;."), "--"), "=")
		switch {
		case arg == "--":
			return ""
		case strings.HasPrefix(arg, "--") && cmd.Flag(name) == nil:
			return cmd.CommandPath() + " has no flag --" + name
		}
	}
	return ""
}

// The check itself sees what is not there.
func TestUnknownIn(t *testing.T) {
	for command, known := range map[string]bool{
		"skilllint lint --fix .": true, "skilllint --since main .": true, "skilllint lint --fixx .": false, "skilllint simulate --fix": false,
		"skilllint probe -- npx --yes-to-all x": true, "make all-of-it": false, "make docs": true, "make fuzz FUZZTIME=30s": true,
		"go run ./bench/nothing": false, "go test ./cmd/skilllint -run TestUnknownIn": true, "go test ./cmd/skilllint -run 'TestDocs|TestNoSuch'": false, "go test ./...": true, "skilllint --version": true,
	} {
		program, rest, _ := strings.Cut(command, " ")
		if fault := unknownIn(program, strings.Fields(rest), "\ndocs:\nfuzz:\n"); (fault == "") != known {
			t.Errorf("%s: %q", command, fault)
		}
	}
}
