package rules

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

const (
	runPy = "skills/demo/scripts/run.py"
	runSh = "skills/demo/scripts/run.sh"
)

// TestScriptMissing holds which commands run a script of the skill for certain.
func TestScriptMissing(t *testing.T) {
	fence := func(lines string) string { return "```bash\n" + lines + "\n```" }
	cases := map[string]struct {
		body string
		want []string
	}{
		"found":                {fence("python3 scripts/run.py --x\nbash scripts/run.sh && ls"), nil},
		"interpreter":          {fence("python3 scripts/x.py in.txt"), []string{"file/script-missing scripts/x.py"}},
		"version":              {fence("python3.11 -u scripts/x.py"), []string{"file/script-missing scripts/x.py"}},
		"dotted":               {fence("./scripts/x.sh"), []string{"file/script-missing ./scripts/x.sh"}},
		"bare":                 {fence("scripts/x.sh"), nil},
		"variable":             {fence(`node "${SKILL_DIR}/scripts/x.mjs"`), []string{"file/script-missing ${SKILL_DIR}/scripts/x.mjs"}},
		"variable alone":       {fence("{baseDir}/scripts/x.sh"), []string{"file/script-missing {baseDir}/scripts/x.sh"}},
		"angle brackets":       {fence("python <skill_path>/scripts/x.py"), []string{"file/script-missing <skill_path>/scripts/x.py"}},
		"quoted variable":      {fence(`"$SKILL_DIR"/scripts/x.sh --a`), []string{`file/script-missing "$SKILL_DIR"/scripts/x.sh`}},
		"plugin of none":       {fence("python ${CLAUDE_PLUGIN_ROOT}/scripts/x.py"), nil},
		"uv run":               {fence("uv run --with requests scripts/x.py"), []string{"file/script-missing scripts/x.py"}},
		"uv run python":        {fence("uv run python scripts/x.py"), []string{"file/script-missing scripts/x.py"}},
		"npx tsx":              {fence("npx -y tsx scripts/x.ts"), []string{"file/script-missing scripts/x.ts"}},
		"assignment, sudo":     {fence("FOO=1 sudo bash scripts/x.sh"), []string{"file/script-missing scripts/x.sh"}},
		"prompt":               {fence("$ bash scripts/x.sh"), []string{"file/script-missing scripts/x.sh"}},
		"second command":       {fence("ls | sort; python scripts/x.py"), []string{"file/script-missing scripts/x.py"}},
		"substitution":         {fence("A=$(python scripts/x.py 2>/dev/null)"), []string{"file/script-missing scripts/x.py"}},
		"continued line":       {fence("python \\\n  scripts/x.py \\\n  --a"), []string{"file/script-missing scripts/x.py"}},
		"told once":            {fence("python scripts/x.py\npython scripts/x.py --b"), []string{"file/script-missing scripts/x.py"}},
		"comment":              {fence("# python scripts/x.py"), nil},
		"module and inline":    {fence("python -m scripts/x.py\npython -c 'scripts/x.py'"), nil},
		"here document":        {fence("cat > run.sh <<'EOF'\npython scripts/x.py\nEOF"), nil},
		"after cd":             {fence("cd app\npython scripts/x.py"), nil},
		"after cd to skill":    {fence("cd {baseDir} && python scripts/x.py"), []string{"file/script-missing scripts/x.py"}},
		"other folder":         {fence("python tools/x.py"), nil},
		"redirection":          {fence("python gen.py > scripts/x.py"), nil},
		"placeholder":          {fence("python scripts/<name>.py"), nil},
		"not a shell":          {"```python\npython scripts/x.py\n```", nil},
		"no language":          {"```\npython scripts/x.py\n```", []string{"file/script-missing scripts/x.py"}},
		"inline code":          {"Run `python scripts/x.py`.", []string{"file/script-missing scripts/x.py"}},
		"inline, made later":   {"Generate it first: `python scripts/x.py`.", nil},
		"inline, an example":   {"For example `python scripts/x.py` in the user's project.", nil},
		"lies elsewhere":       {"Kept in `tools/scripts/x.py`:\n\n" + fence("python scripts/x.py"), nil},
		"lies here":            {"Kept in `demo/scripts/x.py`:\n\n" + fence("python scripts/x.py"), []string{"file/script-missing scripts/x.py"}},
		"own folder":           {fence("python skills/demo/scripts/run.py"), []string{"link/from-root skills/demo/scripts/run.py"}},
		"own folder, missing":  {fence("python skills/demo/scripts/x.py"), nil},
		"shared, as announced": {"Run the checker of the repo root:\n\n" + fence("python scripts/x.py"), nil},
		"from a folder above":  {fence("python scripts/root.py"), nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			expect(t, skillWith(c.body, runPy, "print()", runSh, "#!/bin/sh", "scripts/root.py", "print()"), c.want...)
		})
	}
}

func TestScriptFaults(t *testing.T) {
	cases := map[string]struct {
		command, script string
		want            []string
	}{
		"interpreter":        {"python scripts/run.sh", "#!/bin/sh", []string{"file/script-interpreter scripts/run.sh"}},
		"shell of its kind":  {"bash scripts/run.sh", "#!/bin/sh", nil},
		"sourced":            {". scripts/run.sh", "A=1", nil},
		"crlf":               {"sh scripts/run.sh", "#!/bin/sh\r\nls\r", []string{"file/script-crlf #!/bin/sh"}},
		"crlf, sourced":      {"source scripts/run.sh", "#!/bin/sh\r\nls\r", []string{"file/script-crlf #!/bin/sh"}},
		"crlf, other file":   {"ls scripts/run.sh", "#!/bin/sh\r\nls\r", nil},
		"no bit":             {"./scripts/run.sh", "#!/bin/sh", []string{"file/script-not-executable ./scripts/run.sh"}},
		"no bit, bare":       {"scripts/run.sh a", "#!/bin/sh", []string{"file/script-not-executable scripts/run.sh"}},
		"no bit, no shebang": {"./scripts/run.sh", "ls", []string{"file/script-not-executable ./scripts/run.sh", "file/script-shebang ./scripts/run.sh"}},
		"as an argument":     {"chmod +x scripts/run.sh", "ls", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			expect(t, skillWith("```sh\n"+c.command+"\n```", runSh, c.script), c.want...)
		})
	}
	t.Run("not in a tree", func(t *testing.T) {
		expect(t, skillWith("```\nscripts/run.sh  starts it\n```", runSh, "ls"))
	})
}

// TestExecuteBits holds when a script without an execute bit is passed over.
func TestExecuteBits(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps no execute bits")
	}
	archive := skillWith("```sh\n./scripts/run.sh\n```", runSh, "#!/bin/sh")
	missing := []string{"file/script-not-executable ./scripts/run.sh"}
	cases := map[string]struct {
		change func(t *testing.T, dir string)
		want   []string
	}{
		"as written": {func(*testing.T, string) {}, missing},
		"executable": {func(t *testing.T, dir string) { must(t, os.Chmod(filepath.Join(dir, runSh), 0o755)) }, nil},
		"git keeps no bits": {func(t *testing.T, dir string) {
			must(t, os.MkdirAll(filepath.Join(dir, ".git"), 0o755))
			must(t, os.WriteFile(filepath.Join(dir, ".git", "config"), []byte("[core]\n\tfileMode = false\n"), 0o644))
		}, nil},
		"git keeps bits": {func(t *testing.T, dir string) {
			must(t, os.MkdirAll(filepath.Join(dir, ".git"), 0o755))
			must(t, os.WriteFile(filepath.Join(dir, ".git", "config"), []byte("[core]\n\tfilemode = true\n"), 0o644))
		}, missing},
		"download of ClawHub": {func(t *testing.T, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, "skills", "demo", "_meta.json"), []byte("{}"), 0o644))
		}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, archive)
			c.change(t, dir)
			if got := brief(t, dir, lintLinks(t, dir)); !slices.Equal(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestScriptFlags(t *testing.T) {
	scripts := map[string]string{
		"argparse.py":  "import argparse\np = argparse.ArgumentParser()\np.add_argument('--output', '-o')\np.add_argument(\n  '--verbose', action=argparse.BooleanOptionalAction)\np.parse_args()\n",
		"loose.py":     "import argparse\np = argparse.ArgumentParser()\np.add_argument('--output')\np.parse_known_args()\n",
		"built.py":     "import argparse\np = argparse.ArgumentParser()\nfor n in NAMES:\n  p.add_argument('--' + n)\n  p.add_argument(n)\np.parse_args()\n",
		"shared.py":    "import argparse\nfrom common import add_options\np = argparse.ArgumentParser()\np.add_argument('--output')\nadd_options(p)\np.parse_args()\n",
		"click.py":     "import click\n@click.command()\n@click.option('--output', '-o')\n@click.option('--color/--no-color')\ndef main(output, color): pass\n",
		"getopt.py":    "import getopt, sys\nopts, args = getopt.getopt(sys.argv[1:], 'ho:v', ['help', 'output='])\n",
		"sub.py":       "import argparse, sys\nprint(sys.argv)\n",
		"commander.js": "const { program } = require('commander');\nprogram.option('-o, --output <file>', 'x').requiredOption('--kind <k>');\nprogram.parse();\n",
		"getopts.sh":   "while getopts \"ho:v\" opt; do case $opt in o) OUT=$OPTARG;; esac; done\n",
		"case.sh":      "while [ $# -gt 0 ]; do case \"$1\" in --output) shift 2;; esac; done\n",
		"flag.go":      "package main\nimport \"flag\"\nvar output = flag.String(\"output\", \"\", \"x\")\nfunc main() { flag.Parse() }\n",
	}
	cases := []struct{ command, bad string }{
		{"python scripts/argparse.py --output x -o x -ox --verb --no-verbose -h", ""},
		{"python scripts/argparse.py --outptu x", "--outptu"},
		{"python scripts/argparse.py --format=json", "--format"},
		{"python scripts/argparse.py -x", "-x"},
		{"python scripts/argparse.py -5 -- --format", ""},
		{"python scripts/argparse.py in | jq --raw", ""},
		{"python scripts/argparse.py in > out --raw", ""},
		{"python scripts/argparse.py [--format json]", ""},
		{"python scripts/loose.py --format", ""},
		{"python scripts/built.py --format", ""},
		{"python scripts/shared.py --format", ""},
		{"python scripts/sub.py --format", ""},
		{"python scripts/click.py --output x --no-color --help", ""},
		{"python scripts/click.py --format x", "--format"},
		{"python scripts/getopt.py -o x --output x", ""},
		{"python scripts/getopt.py --format x", "--format"},
		{"node scripts/commander.js -o x --kind y", ""},
		{"node scripts/commander.js --format x", "--format"},
		{"bash scripts/getopts.sh -o x -v", ""},
		{"bash scripts/getopts.sh -f x", "-f"},
		{"bash scripts/getopts.sh --output x", "--output"},
		{"bash scripts/case.sh --format x", ""},
		{"go run scripts/flag.go -output x --output x", ""},
		{"go run scripts/flag.go -format x", "-format"},
	}
	var files []string
	for name, src := range scripts {
		files = append(files, "skills/demo/scripts/"+name, src)
	}
	for _, c := range cases {
		t.Run(c.command, func(t *testing.T) {
			var want []string
			if c.bad != "" {
				want = []string{"file/script-flag " + c.bad}
			}
			expect(t, skillWith("```sh\n"+c.command+"\n```", files...), want...)
		})
	}
}

func TestMachinePaths(t *testing.T) {
	cases := map[string]struct {
		body, want string
	}{
		"macOS":               {"Run `/Users/mkowalski/bin/x --list`.", "/Users/mkowalski/bin/x"},
		"Linux":               {"```sh\ncd /home/mkowalski/src\n```", "/home/mkowalski/src"},
		"Windows":             {`Open C:\Users\mkowalski\x.txt.`, `C:\Users\mkowalski\x.txt`},
		"Windows, escaped":    {"```json\n{\"a\": \"C:\\\\Users\\\\mkowalski\\\\x\"}\n```", `C:\\Users\\mkowalski\\x`},
		"Windows, slashes":    {"Open `D:/Users/mkowalski/x`.", "D:/Users/mkowalski/x"},
		"address of a file":   {"[x](file:///Users/mkowalski/x.md)", "/Users/mkowalski/x.md"},
		"told once":           {"/home/mkowalski/x and /home/mkowalski/x", "/home/mkowalski/x"},
		"checkout of skill":   {"Use `~/dev/kit/demo/scripts/run.py`.", "~/dev/kit/demo/scripts/run.py"},
		"agent's folder":      {"Use `~/.claude/skills/demo/scripts/run.py`.", ""},
		"other file":          {"Use `~/dev/kit/demo/scripts/x.py`.", ""},
		"checkout of another": {"```sh\nbash ~/Development/kit/skills/mail/mail.sh\n```", "~/Development/kit/skills/mail/mail.sh"},
		"workspace of agent":  {"Use `~/clawd/skills/demo/scripts/run.py`.", ""},
		"project as example":  {"```sh\ncd ~/projects/app && python ~/projects/app/main.py\n```", ""},
		"any user":            {"/Users/you/x /Users/yourname/x /home/user/x /home/USERNAME/x /Users/alice/x /Users/xxx/x", ""},
		"to be filled in":     {"/Users/<name>/x /home/$USER/x /home/{user}/x /Users/.../x /Users/*/x", ""},
		"user of an image":    {"/home/node/x /home/ubuntu/x /home/runner/work/x /home/claude/x", ""},
		"home alone":          {"/Users/mkowalski is a home.", ""},
		"part of a path":      {"https://x.y/home/mkowalski/x and src/home/mkowalski/x and .../Users/mkowalski/x", ""},
		"example":             {"For example /Users/mkowalski/x.", ""},
		"advice":              {"Never write /Users/mkowalski/x.", ""},
		"comment":             {"<!-- /Users/mkowalski/x -->", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var want []string
			if c.want != "" {
				want = []string{"body/machine-path " + c.want}
			}
			expect(t, skillWith(c.body, runPy, "print()"), want...)
		})
	}
}
