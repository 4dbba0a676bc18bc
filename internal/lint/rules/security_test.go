package rules

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/racetest"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// securityCase is one labelled text: bad when a rule about security has to find something at the level of a warning.
type securityCase struct {
	bad     bool
	form    string // extension of the file: "md" for the body of a SKILL.md, "front" for a description
	kind    string // what it is about
	text    string
	archive string
}

// securityCases reads the labelled texts. The name of each file in the archives is "bad.EXTENSION KIND" or "good.EXTENSION KIND".
func securityCases(t *testing.T) []securityCase {
	t.Helper()
	archives, err := filepath.Glob(filepath.Join("testdata", "security", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var out []securityCase
	for _, name := range archives {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(raw).Files {
			label, kind, ok := strings.Cut(f.Name, " ")
			verdict, form, isForm := strings.Cut(label, ".")
			if !ok || !isForm || verdict != "bad" && verdict != "good" {
				t.Fatalf("%s: %q is no label", name, f.Name)
			}
			for _, text := range strings.Split(string(f.Data), "\n----\n") {
				out = append(out, securityCase{verdict == "bad", form, kind, assemble(t, strings.TrimSuffix(text, "\n")), filepath.Base(name)})
			}
		}
	}
	return out
}

var fillPattern = regexp.MustCompile(`(?s)\{\{([a-z0-9]+|[0-9A-F]{4,5})(?::(.*?))?\}\}`)

// assemble puts together what no file may hold: credentials, hidden characters and blobs.
func assemble(t *testing.T, s string) string {
	t.Helper()
	return fillPattern.ReplaceAllStringFunc(s, func(part string) string {
		m := fillPattern.FindStringSubmatch(part)
		if point, err := strconv.ParseUint(m[1], 16, 32); err == nil && m[2] == "" && m[1] == strings.ToUpper(m[1]) {
			return string(rune(point))
		}
		switch m[1] {
		case "elf":
			return "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 60)
		case "pe":
			return "MZ" + strings.Repeat("\x00", 100) + "PE\x00\x00" + strings.Repeat("\x00", 60)
		case "base64":
			return base64.StdEncoding.EncodeToString([]byte(m[2]))
		case "base64url":
			return base64.RawURLEncoding.EncodeToString([]byte(m[2]))
		case "base64twice":
			return base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(m[2]))))
		case "hex":
			return hex.EncodeToString([]byte(m[2]))
		case "escaped":
			var b strings.Builder
			for i := range len(m[2]) {
				fmt.Fprintf(&b, `\x%02x`, m[2][i])
			}
			return b.String()
		case "repeat":
			times, what, _ := strings.Cut(m[2], " ")
			n, err := strconv.Atoi(times)
			if err != nil {
				t.Fatal(err)
			}
			return strings.Repeat(what, n)
		case "tags":
			return strings.Map(func(r rune) rune { return r + 0xE0000 }, m[2])
		}
		if secret, ok := madeSecrets()[m[1]]; ok {
			return secret
		}
		t.Fatalf("nothing is known of %q", part)
		return ""
	})
}

// madeSecrets returns strings of the form of credentials. Nobody issued them.
func madeSecrets() map[string]string {
	drawn := func(n int, from string) string {
		var b strings.Builder
		for x := uint32(88172645); b.Len() < n; {
			x ^= x << 13
			x ^= x >> 17
			x ^= x << 5
			b.WriteByte(from[x%uint32(len(from))])
		}
		return b.String()
	}
	const letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
	return map[string]string{
		"github": "ghp" + "_" + drawn(36, letters), "openai": "sk" + "-proj-" + drawn(40, letters), "aws": "AK" + "IA" + drawn(16, "ABCDEFGHJKLMNPQRSTUVWXYZ234567"),
		"jwt":   "eyJ" + drawn(24, letters) + ".eyJ" + drawn(40, letters) + "." + drawn(40, letters),
		"slack": "xoxb" + "-" + drawn(12, "123456789") + "-" + drawn(24, letters), "telegram": "7" + drawn(9, "123456789") + ":AA" + drawn(33, letters),
		"stripe": "sk" + "_live_" + drawn(24, letters), "huggingface": "hf" + "_" + drawn(34, letters), "random32": drawn(32, letters), "password": "tr0ub" + "4dor&3",
		"privatekey": "-----BEGIN " + "PRIVATE KEY-----\n" + drawn(64, letters) + "\n" + drawn(64, letters) + "\n-----END " + "PRIVATE KEY-----",
	}
}

// write puts a case into a folder of its own.
func (c securityCase) write(t *testing.T, dir, name string) {
	t.Helper()
	files := map[string]string{}
	head := strings.Replace(secure, "name: demo", "name: "+name, 1)
	at := filepath.Join(".claude", "skills", name)
	switch c.form {
	case "mcp":
		at = filepath.Join("configs", name)
		files[".mcp.json"] = mcpServersJSON(`"docs": {` + c.text + `}`)
	case "settings", "hooks":
		at = filepath.Join("configs", name)
		files[map[string]string{"settings": ".claude/settings.json", "hooks": "hooks/hooks.json"}[c.form]] = c.text
	case "tool":
		at = ""
		files[name+".tools.json"] = strings.Replace(strings.TrimPrefix(goodTools, "-- docs.tools.json --\n"), "Searches the manual for a word.", strings.Trim(mcpconfig.Quote(c.text), `"`), 1)
	case "tools":
		at = ""
		files[name+".tools.json"] = `{"tools": [` + c.text + `]}`
	case "head":
		files["SKILL.md"] = strings.Replace(head, "\n---\n", "\n"+c.text+"\n---\n", 1) + "Rename.\n"
	case "file":
		files["SKILL.md"] = head + "Rename.\n"
		file, content, _ := strings.Cut(c.text, "\n")
		files[file] = content
	case "link":
		files["SKILL.md"] = head + "Rename.\n"
		must(t, os.MkdirAll(filepath.Join(dir, at), 0o755))
		if err := os.Symlink(c.text, filepath.Join(dir, at, "names.md")); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	case "md":
		files["SKILL.md"] = head + c.text + "\n"
	case "front":
		files["SKILL.md"] = strings.Replace(head, "Renames photos. Use when photos have camera names.", strconv.Quote(c.text), 1) + "Rename.\n"
	default:
		files["SKILL.md"] = head + "The file scripts/case." + c.form + " does it.\n"
		files["scripts/case."+c.form] = c.text + "\n"
	}
	for file, text := range files {
		file = filepath.Join(dir, at, filepath.FromSlash(file))
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(text), 0o644))
	}
}

var caseName = regexp.MustCompile(`case-\d{3}`)

// leastRecall is the part of the bad texts that has to be found; of the good ones, none may be.
const leastRecall = 0.9

// TestSecurityRecall runs the rules about security over labelled texts.
func TestSecurityRecall(t *testing.T) {
	racetest.Skip(t)
	cases := securityCases(t)
	dir := t.TempDir()
	for i, c := range cases {
		c.write(t, dir, fmt.Sprintf("case-%03d", i))
	}
	found := map[string][]lint.Finding{}
	for _, f := range lintTree(t, dir, nil) {
		if name := caseName.FindString(f.Server + " " + f.File); f.Rule.In(lint.SecurityGroup) && f.Severity >= lint.Warning {
			found[name] = append(found[name], f)
		}
	}
	bad, good, right := 0, 0, 0
	for i, c := range cases {
		got := found[fmt.Sprintf("case-%03d", i)]
		if !c.bad {
			good++
			if len(got) > 0 {
				t.Errorf("false alarm: %s %s %q: %q", c.archive, c.kind, c.text, names(got))
			}
			continue
		}
		bad++
		if len(got) > 0 {
			right++
		} else {
			t.Logf("not found: %s %s %q", c.archive, c.kind, c.text)
		}
	}
	recall := float64(right) / float64(bad)
	t.Logf("%d bad, %d good, %d found: recall %.3f", bad, good, right, recall)
	if recall < leastRecall || bad < 150 || good < 150 {
		t.Errorf("recall is %.3f of %d bad texts (%d good ones), want %.2f of at least 150", recall, bad, good, leastRecall)
	}
}

// zipOf returns an archive with one member; claimed is how many bytes it says that the member unpacks to.
func zipOf(t *testing.T, member string, data []byte, claimed uint64) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.CreateRaw(&zip.FileHeader{Name: member, CompressedSize64: uint64(len(data)), UncompressedSize64: claimed})
	must(t, err)
	_, err = f.Write(data)
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

// tarOf returns an archive with one symbolic link.
func tarOf(t *testing.T, member, target string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	must(t, w.WriteHeader(&tar.Header{Name: member, Typeflag: tar.TypeSymlink, Linkname: target}))
	must(t, w.Close())
	return b.Bytes()
}

// TestArchiveMember gives a skill archives, of which nothing is unpacked: one finding for each dangerous one, at its place.
func TestArchiveMember(t *testing.T) {
	slip := zipOf(t, "../../evil.txt", nil, 0)
	archives := map[string]struct {
		data []byte
		want string // part of the message; "" for none
	}{
		"slip.zip":        {slip, `"../../evil.txt" leaves the folder`},
		"drive.whl":       {zipOf(t, `C:\evil.txt`, nil, 0), "leaves the folder"},
		"signs.zip":       {zipOf(t, "/etc/\x1b[31m\u202e", nil, 0), `"/etc/\x1b[31m\u202e"`},
		"bomb.docx":       {zipOf(t, "a.xml", nil, 1<<30), "unpack to 1024 MB"},
		"assets/link.tar": {tarOf(t, "a", "/etc/passwd"), `link to "/etc/passwd"`},
		"good.zip":        {zipOf(t, "names/a.txt", nil, 0), ""},
		"good.tar":        {tarOf(t, "names/a", "b"), ""},
		"nested.zip":      {zipOf(t, "slip.zip", slip, uint64(len(slip))), ""}, // the page says that these are not opened
		"broken.zip":      {slip[:len(slip)-9], ""},
		"empty.tgz":       {nil, ""},
		"large.zip":       {append(make([]byte, mostArchive), slip...), ""},
		"slip.png":        {slip, ""},
	}
	dir := t.TempDir()
	home := filepath.Join(dir, ".claude", "skills", "demo")
	files := map[string][]byte{"SKILL.md": []byte(secure + "Rename.\n")}
	for name, a := range archives {
		files[name] = a.data
	}
	for name, data := range files {
		file := filepath.Join(home, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, data, 0o644))
	}
	got := map[string]string{}
	for _, f := range lintTree(t, dir, nil) {
		if f.Rule == archiveMember {
			name := strings.TrimPrefix(f.File, ".claude/skills/demo/")
			if got[name] != "" || f.Severity != lint.Error {
				t.Errorf("%s: %s %s, besides %q", name, f.Severity, f.Message, got[name])
			}
			got[name] = f.Message
		}
	}
	for name, a := range archives {
		if a.want == "" && got[name] != "" || !strings.Contains(got[name], a.want) {
			t.Errorf("%s: %q, want %q", name, got[name], a.want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "evil.txt")); err == nil {
		t.Error("something was unpacked")
	}
}

// mostFlagged is the part of the skills of the corpus that may have a finding at the level of a warning.
const mostFlagged = 0.02

// TestSecurityCorpus wants next to nothing to be found in published skills, and each finding to have been read.
func TestSecurityCorpus(t *testing.T) {
	racetest.Skip(t)
	read := map[string]bool{}
	for _, l := range readLabels(t, lint.SecurityGroup) {
		read[l.key()] = true
	}
	flagged := map[string]bool{}
	dir := sharedFolder(t, "corpus/dev")
	for _, f := range lintCorpus(t, securityRules()) {
		if f.Severity < lint.Warning {
			continue
		}
		if !read[f.key()] {
			t.Errorf("nobody has read %s: %s", f.key(), f.Message)
		}
		flagged[skillOf(dir, f.File)] = true
	}
	all, err := (&skills.LocalLoader{FS: skills.Disk{}, Base: dir, Paths: []string{dir}}).List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	part := float64(len(flagged)) / float64(len(all))
	t.Logf("%d of %d skills: %.2f %%", len(flagged), len(all), 100*part)
	if part > mostFlagged {
		t.Errorf("%.1f %% of the skills have a finding, want %.1f at most", 100*part, 100*mostFlagged)
	}
}

// skillOf returns the folder of the skill that a file of the corpus belongs to.
func skillOf(root, file string) string {
	for dir := filepath.Dir(file); dir != "."; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(root, dir, skills.FileName)); err == nil {
			return dir
		}
	}
	return file
}
