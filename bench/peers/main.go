// Peers measures skilllint beside other programs that check skills, on the same folders: each program in turn, several times,
// and the medians. The peers come from npm, in the versions named here, and run without a network. A table in Markdown goes to
// standard output.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/bench/gen"
	"github.com/skill-ls/skill-ls/bench/measure"
)

var packages = []string{"skill-check@1.2.0", "skills-ref@0.1.5"}

func main() {
	bin := flag.String("bin", "bin/skilllint", "the program to measure")
	npm := flag.String("npm", "bin/peers", "where the peers are, or are put")
	count := flag.Int("skills", 2000, "how many skills are generated")
	size := flag.Int("size", 5<<10, "bytes of a generated SKILL.md")
	runs := flag.Int("runs", 5, "how often each program runs")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: peers [flags] [FOLDER…]   (folders with skills, besides the generated ones)")
		flag.PrintDefaults()
	}
	flag.Parse()
	if err := compare(*bin, *npm, flag.Args(), *count, *size, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func compare(bin, npm string, folders []string, count, size, runs int) error {
	var err error
	if bin, err = filepath.Abs(bin); err != nil {
		return fmt.Errorf("find the program: %w", err)
	}
	if npm, err = install(npm); err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "skilllint-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for the skills: %w", err)
	}
	defer os.RemoveAll(temp)
	generated := filepath.Join(temp, "generated")
	if err := gen.Write(filepath.Join(generated, "skills"), count, size); err != nil {
		return err
	}
	fmt.Printf("%d cores; medians of %d runs, the programs in turn\n", runtime.NumCPU(), runs)
	for _, folder := range append(folders, generated) {
		if folder, err = filepath.Abs(folder); err != nil {
			return fmt.Errorf("find the folder: %w", err)
		}
		if err := compareIn(folder, programs(bin, npm, temp), runs); err != nil {
			return err
		}
	}
	return nil
}

// install puts the peers into a folder, unless they are there, and returns its absolute path.
func install(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find the peers: %w", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make a folder for the peers: %w", err)
	}
	cmd := exec.Command("npm", append([]string{"install", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund"}, packages...)...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("install the peers: %w", err)
	}
	return dir, nil
}

// program is one row of the table.
type program struct {
	name   string
	checks string // how many there are on
	args   func(folder string, skills []string) []string
	most   int // how many skills one run takes; 0 for all
}

// script checks skills with the library of skills-ref, in one process.
const script = `import {validate} from %q;
import fs from "node:fs";
let n = 0;
for (const dir of fs.readFileSync(process.argv[2], "utf8").trim().split("\n")) n += (await validate(dir)).length;
console.log(n);
`

// fewSkills is how many skills a program is run on that takes one a process.
const fewSkills = 10

func programs(bin, npm, temp string) []program {
	tool := func(name string) string { return filepath.Join(npm, "node_modules", ".bin", name) }
	list, library := filepath.Join(temp, "list"), filepath.Join(temp, "validate.mjs")
	lint := func(more ...string) func(string, []string) []string {
		return func(folder string, _ []string) []string {
			return append(append([]string{bin, "lint", "--format", "json", "--fail-on", "never", "--no-config"}, more...), folder)
		}
	}
	own := checksOf(bin)
	spec := []string{"name", "description", "frontmatter", "field", "yaml"}
	return []program{
		{name: "skilllint", checks: own(""), args: lint()},
		{name: "skilllint, " + strings.Join(spec, ", "), checks: own(spec...), args: lint("--select", strings.Join(spec, ","))},
		{name: "skilllint --client agentskills, the same", checks: own(spec...), args: lint("--client", "agentskills", "--select", strings.Join(spec, ","))},
		{name: "skilllint --cache, warm", checks: own(""), args: lint("--cache=" + filepath.Join(temp, "kept"))},
		{name: "skill-check 1.2.0", checks: "20", args: func(folder string, _ []string) []string {
			return []string{"node", tool("skill-check"), "check", "--no-security-scan", "--no-installs", "--no-open", "--format", "json", folder}
		}},
		{name: "skills-ref 0.1.5, its library", checks: "", args: func(_ string, skills []string) []string {
			module := filepath.Join(npm, "node_modules", "skills-ref", "dist", "index.js")
			_ = os.WriteFile(list, []byte(strings.Join(skills, "\n")), 0o644) // node says so if it failed
			_ = os.WriteFile(library, fmt.Appendf(nil, script, "file://"+filepath.ToSlash(module)), 0o644)
			return []string{"node", library, list}
		}},
		{name: "skills-ref 0.1.5, its command", checks: "", most: fewSkills, args: func(_ string, skills []string) []string {
			return []string{"sh", "-c", `tool=$1; shift; for dir; do node "$tool" validate "$dir"; done`, "sh", tool("skills-ref")}
		}},
	}
}

// checksOf returns what counts the rules of groups, those that are on by default for none.
func checksOf(bin string) func(groups ...string) string {
	var list struct {
		Rules []struct{ Name, Severity string }
	}
	out, err := exec.Command(bin, "rules", "--format", "json").Output()
	if err == nil {
		err = json.Unmarshal(out, &list)
	}
	return func(groups ...string) string {
		if err != nil {
			return "?"
		}
		n := 0
		for _, r := range list.Rules {
			group, _, _ := strings.Cut(r.Name, "/")
			if groups[0] == "" && r.Severity != "hint" || slices.Contains(groups, group) {
				n++
			}
		}
		return fmt.Sprint(n)
	}
}

// compareIn prints the table of one folder.
func compareIn(folder string, list []program, runs int) error {
	skills, err := skillsBelow(folder)
	if err != nil {
		return err
	}
	results := make([][]measure.Result, len(list))
	for i := range runs + 1 { // the first brings the files into the cache of the system, and is not counted
		for n, p := range list {
			r, err := p.run(folder, skills)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			if i > 0 {
				results[n] = append(results[n], r)
			}
		}
	}
	fmt.Printf("\n%s, %d skills\n\n", filepath.Base(folder), len(skills))
	fmt.Println("| program | checks | time | skills/s | times as long as skilllint | processor | memory |")
	fmt.Println("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
	for n, p := range list {
		count := len(skills)
		if p.most > 0 {
			count = min(count, p.most)
		}
		var ratios []float64 // pair by pair: the machine's speed may drift
		for i, r := range results[n] {
			ratios = append(ratios, r.Wall.Seconds()/float64(count)/(results[0][i].Wall.Seconds()/float64(len(skills))))
		}
		wall := median(results[n], func(r measure.Result) float64 { return r.Wall.Seconds() })
		fmt.Printf("| %s | %s | %.3f s | %.0f | %.2f | %.2f s | %.0f MiB |\n", p.name, p.checks, wall, float64(count)/wall,
			median(ratios, func(f float64) float64 { return f }),
			median(results[n], func(r measure.Result) float64 { return r.CPU.Seconds() }),
			median(results[n], func(r measure.Result) float64 { return float64(r.Peak) / (1 << 20) }))
	}
	return nil
}

func median[T any](list []T, of func(T) float64) float64 {
	var all []float64
	for _, x := range list {
		all = append(all, of(x))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// skillsBelow returns the folders with a SKILL.md.
func skillsBelow(folder string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(folder, func(name string, e os.DirEntry, err error) error {
		if err == nil && e.Name() == "SKILL.md" {
			out = append(out, filepath.Dir(name))
		}
		return err
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("there is no skill below %s", folder)
	}
	return out, err
}

// run runs a program once, without a network where the system can do that, else with one that leads nowhere.
func (p *program) run(folder string, skills []string) (measure.Result, error) {
	args := p.args(folder, skills)
	if p.most > 0 {
		args = append(args, skills[:min(len(skills), p.most)]...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	nowhere := "http://127.0.0.1:9"
	cmd.Env = append(os.Environ(), "HTTP_PROXY="+nowhere, "HTTPS_PROXY="+nowhere, "http_proxy="+nowhere, "https_proxy="+nowhere, "NO_COLOR=1")
	isolate(cmd)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir = &out, &errOut, folder
	r, err := measure.Command(cmd)
	var exit *exec.ExitError
	if errors.As(err, &exit) && out.Len()+errOut.Len() > 0 && exit.ExitCode() == 1 {
		err = nil // it has found something
	}
	if err != nil {
		err = fmt.Errorf("%w: %s", err, errOut.String())
	}
	return r, err
}
