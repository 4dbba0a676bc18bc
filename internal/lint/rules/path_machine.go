package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

var pathOfOneMachine = &lint.Rule{
	Name: "body/machine-path", Severity: lint.Warning, Scope: lint.SkillScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "The text names a path that exists on its author's machine only.",
		Why: "The command or file is not there for anybody else. Found in 92 of 6,709 skills on GitHub and 335 of 9,070 on ClawHub. Judged is the whole body, inline code and fences included, " +
			"for home folders of a user (/Users/NAME/…, /home/NAME/…, C:\\Users\\NAME\\…) and for checkouts of skills below ~/. " +
			"Names that stand for any user (you, user, alice …) and users of well-known images (ubuntu, node, runner …) are passed over, and lines that speak of an example.",
		Bad:  linkSkill + "```sh\n/Users/mkowalski/bin/rename photos\n```\n",
		Good: linkSkill + "```sh\nrename photos\n```\n",
	},
	Run: func(p *lint.Pass) {
		if p.Skill.Err != nil {
			return
		}
		for _, m := range machinePaths(p) {
			p.Report(m)
		}
	},
}

// homeMarks stand in front of the name of a user. What stands before a mark must not belong to the path.
var homeMarks = []string{"/Users/", "/home/", `:\Users\`, `:\\Users\\`, ":/Users/"}

// anyUsers are names that stand for whoever reads the text.
var anyUsers = strings.Fields("you user users username user_name user-name name yourname your-name your_name youruser yourusername your-username your_username " +
	"me myself myuser myname someone somebody anyone alice bob carol jane john johndoe janedoe jdoe john.doe jane.doe doe foo bar baz example test tester testuser demo guest xxx xxxx yyy " +
	"dev developer admin administrator currentuser current_user usuario utilisateur benutzer nome nombre username1 user1 home dir path project projects workspace shared public default all")

// imageUsers are users of images, clouds and tools, so that the path is the same on many machines.
var imageUsers = strings.Fields("ubuntu debian runner node vscode claude linuxbrew clawd openclaw moltbot clawdbot ec2-user vagrant pi coder codespace gitpod app appuser jovyan docker " +
	"agent sandbox jenkins circleci vsts azureuser opc centos fedora root git deploy www www-data nonroot nix pwuser steam deck oai codex daytona agentuser workspaceuser hermes")

// machinePaths returns a finding for each path of one machine, the same path once.
func machinePaths(p *lint.Pass) []lint.Finding {
	var out []lint.Finding
	body := p.Skill.Body()
	told := map[string]bool{}
	for _, at := range candidatePaths(p.Skill, body.Span.In(p.Text())) {
		at = at.Shift(body.Span.Start)
		if key := at.In(p.Text()); !told[key] && judgedPath(p, body, at) {
			told[key] = true
			out = append(out, machineFinding(p, at))
		}
	}
	return out
}

// candidatePaths returns the paths in home folders of real users, and those below ~/ that lead into a
// checkout.
func candidatePaths(s *skills.Skill, src string) []text.Span {
	out := homePaths(src)
	for _, off := range offsets(src, "~/") {
		if at := (text.Span{Start: off, End: pathEnd(src, off)}); inCheckout(s, at.In(src)) {
			out = append(out, at)
		}
	}
	return out
}

// homePaths returns the paths in home folders of real users.
func homePaths(src string) []text.Span {
	marks := homeMarks
	if !strings.Contains(src, "Users") { // all marks but one hold it
		marks = []string{"/home/"}
	}
	var out []text.Span
	for _, mark := range marks {
		for _, off := range offsets(src, mark) {
			if at, ok := homePath(src, text.Span{Start: off, End: off + len(mark)}); ok {
				out = append(out, at)
			}
		}
	}
	return out
}

// offsets returns where a word stands in a text.
func offsets(src, word string) []int {
	var out []int
	for off := 0; ; {
		i := strings.Index(src[off:], word)
		if i < 0 {
			return out
		}
		out = append(out, off+i)
		off += i + len(word)
	}
}

// homePath returns the whole path around the mark of a home folder, when a real user's name follows.
func homePath(src string, mark text.Span) (text.Span, bool) {
	start := mark.Start
	if src[start] == ':' { // the letter of a drive
		start--
	}
	if start > 1 && src[start-1] == ':' && isDriveLetter(src[:start-1]) {
		return text.Span{}, false // the mark with the colon finds it
	}
	if start < 0 || start > 0 && partOfPath(src[start-1]) && !strings.HasSuffix(src[:start], "file://") {
		return text.Span{}, false
	}
	at := text.Span{Start: start, End: pathEnd(src, start)}
	if at.End <= mark.End {
		return text.Span{}, false
	}
	name, inside, _ := strings.Cut(strings.ReplaceAll(src[mark.End:at.End], `\`, "/"), "/")
	return at, inside != "" && realUser(name)
}

// isDriveLetter reports whether s ends in a letter that stands alone.
func isDriveLetter(s string) bool {
	n := len(s) - 1
	letter := func(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
	return letter(s[n]) && (n == 0 || !letter(s[n-1]))
}

// partOfPath reports whether a byte before a path makes it part of a longer one, or of an address.
func partOfPath(c byte) bool {
	return c == '/' || c == '\\' || c == '.' || c == '-' || c == '_' || c == '}' || c == '>' || c == '$' || c == '~' || c == '*' ||
		c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// pathEnd returns the end of the path that starts at start: at white space, quotes and brackets.
func pathEnd(src string, start int) int {
	n := strings.IndexAny(src[start:], " \t\r\n\"'`()[],;|&^<>{}*$")
	if n < 0 {
		return len(src)
	}
	return start + len(strings.TrimRight(src[start:start+n], ".:!?"))
}

// realUser reports whether a name can be that of one user.
func realUser(name string) bool {
	lower := strings.ToLower(name)
	return name != "" && isASCII(name) && !strings.ContainsAny(name, "…=%#@+~?!") && strings.Trim(name, ".-_xX") != "" &&
		!strings.Contains(lower, "your") && !strings.Contains(lower, "user") && !strings.Contains(lower, "example") &&
		!slices.Contains(anyUsers, lower) && !slices.Contains(imageUsers, lower)
}

// agentFolders are folders below ~/ in which agents keep skills for all.
var agentFolders = strings.Fields("clawd clawdbot openclaw moltbot skills agents agent-zero")

// inCheckout reports whether a path below ~/ leads into a checkout of skills: to a file of this skill, or to a script
// below a folder called skills, neither of them where an agent keeps them.
func inCheckout(s *skills.Skill, p string) bool {
	first, rest, ok := strings.Cut(strings.TrimPrefix(p, "~/"), "/")
	if !ok || first == "" || first[0] == '.' || slices.Contains(agentFolders, first) {
		return false
	}
	if _, inside, own := strings.Cut("/"+rest, "/"+s.Folder+"/"); own && s.Folder != "" && s.Holds(path.Clean(inside)) {
		return true
	}
	return strings.Contains("/"+rest, "/skills/") && families[path.Ext(p)] != ""
}

// judgedPath reports whether a path stands in text that counts: not in a comment, nor in a line that speaks of
// an example or of what not to do.
func judgedPath(p *lint.Pass, body *skills.Body, at text.Span) bool {
	for _, c := range body.Comments {
		if c.Covers(at) {
			return false
		}
	}
	line := p.Doc().Lines().Line(p.Doc().Lines().OffsetLine(at.Start)).In(p.Text())
	return !machineSuppressors.in(line)
}

var machineSuppressors = wordPattern(`e\.g\.`, `examples?`, `for instance`, `such as`, `like`, `bad`, `wrong`, `avoid`, `never`, `don'?t`, `do not`, `instead of`, `not`, `incorrect`, `hardcod\w*`, `hard-cod\w*`, `leaks?`, `redact\w*`).
	with("❌", "✗", "例如", "比如")

func machineFinding(p *lint.Pass, at text.Span) lint.Finding {
	raw := at.In(p.Text())
	f := lint.Finding{
		Span:    at,
		Message: fmt.Sprintf("machine-specific path: %s exists on one machine only", raw),
		Help:    "name the program or a path that everybody has",
	}
	if _, inside, ok := strings.Cut(strings.ReplaceAll(raw, `\`, "/"), "/"+p.Skill.Folder+"/"); ok && p.Skill.Folder != "" && p.Skill.Holds(path.Clean(inside)) {
		f.Help = "write the path from the skill's folder: " + inside
		f.Fixes = []lint.Fix{{Title: "change to " + inside, Edits: []lint.Edit{lint.Replace(at, inside)}}}
	}
	return f
}
