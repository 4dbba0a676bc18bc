package skills

import (
	"path"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/text"
)

// shellFence reports whether code with this info string is commands of a shell. Code without one may be.
func shellFence(info string) bool {
	lang, _, _ := strings.Cut(info, " ")
	switch strings.ToLower(lang) {
	case "", "sh", "bash", "shell", "zsh", "console", "shell-session", "shellsession", "terminal":
		return true
	}
	return false
}

// interpreters are the programs that run a script, and those of their options that take a value or that
// leave no room for a script.
var interpreters = map[string]struct{ values, inline string }{
	"python": {"-W -X", "-c -m"}, "py": {"-W -X", "-c -m"}, "pypy": {"-W -X", "-c -m"},
	"bash": {"-o -O", "-c"}, "sh": {"-o", "-c"}, "zsh": {"-o", "-c"}, "source": {}, ".": {},
	"node": {"-r --require --import --loader -C", "-e -p --eval --print"}, "tsx": {}, "ts-node": {"-P --project", "-e"},
	"bun": {}, "deno": {"--config -c", ""}, "ruby": {"-I -r", "-e"}, "perl": {"-I", "-e -E"}, "php": {"-d", "-r"},
	"Rscript": {"", "-e"}, "uv": {"--with --python -p --project --directory", ""},
	"go":   {"-tags -ldflags -C", ""},
	"pwsh": {"-ExecutionPolicy", "-Command -c"}, "powershell": {"-ExecutionPolicy", "-Command -c"}, "osascript": {"", "-e"},
}

// wrappers are programs that run the command that follows.
var wrappers = []string{"sudo", "time", "nohup", "exec", "env", "command", "npx", "bunx", "poetry", "pipenv", "pdm", "hatch", "pnpm"}

// shell reads lines of a shell one after the other.
type shell struct {
	fence   bool   // the lines are those of a fenced code block
	named   bool   // which says that it holds commands
	base    Base   // the folder the script changed to, if that is one of a skill
	lost    bool   // it changed to a folder that is not known
	heredoc string // the word that ends the text being skipped
	words   []word // of the command being read
	reader  wordReader
}

// word is a word of a shell without its quotes, and where it stands.
type word struct {
	text string
	at   text.Span
}

func fenceReferences(src string, f Fence) []Reference {
	var out []Reference
	s := shell{fence: true, named: f.Info.Len() > 0}
	content := f.Content.In(src)
	for off := 0; off < len(content) && !s.lost; {
		end := logicalLine(content, off)
		at := text.Span{Start: f.Content.Start + off, End: f.Content.Start + end}
		if line := content[off:end]; s.heredoc != "" || strings.IndexByte(line, '/') >= 0 || strings.Contains(line, "cd ") || strings.Contains(line, "<<") {
			out = append(out, s.line(src, at)...)
		}
		off = end + 1
	}
	return out
}

// logicalLine returns the end of the line at off and of those it is continued on.
func logicalLine(s string, off int) int {
	for {
		n := strings.IndexByte(s[off:], '\n')
		if n < 0 {
			return len(s)
		}
		if end := off + n; !strings.HasSuffix(strings.TrimSuffix(s[off:end], "\r"), `\`) {
			return end
		}
		off += n + 1
	}
}

// line returns the scripts that a line of a shell runs.
func (s *shell) line(src string, at text.Span) []Reference {
	if s.heredoc != "" {
		if strings.TrimSpace(at.In(src)) == s.heredoc {
			s.heredoc = ""
		}
		return nil
	}
	var out []Reference
	s.reader = wordReader{src: src, at: at.Start, end: at.End, plain: s.reader.plain}
	reader := &s.reader
	for more := true; more && !s.lost; {
		s.words, more = reader.command(s.words[:0])
		if r, ok := s.command(s.words); ok {
			r.Run.Fence, r.Run.Shell = s.fence, s.named
			out = append(out, r)
		}
	}
	s.heredoc = reader.heredoc
	return out
}

// command returns the script that a command runs.
func (s *shell) command(words []word) (Reference, bool) {
	words = unwrap(words)
	if len(words) == 0 {
		return Reference{}, false
	}
	if words[0].text == "cd" || words[0].text == "pushd" {
		s.enter(words[1:])
		return Reference{}, false
	}
	program := path.Base(words[0].text)
	if unversioned := strings.TrimRight(program, "0123456789."); unversioned == "python" || unversioned == "pypy" {
		program = unversioned
	}
	options, known := interpreters[program]
	if !known {
		return s.reference("", words)
	}
	rest := words[1:]
	for len(rest) > 0 && (strings.HasPrefix(rest[0].text, "-") || rest[0].text == "run") {
		switch flag := rest[0].text; {
		case slices.Contains(strings.Fields(options.inline), flag):
			return Reference{}, false
		case slices.Contains(strings.Fields(options.values), flag):
			rest = rest[1:]
		}
		rest = rest[min(1, len(rest)):]
	}
	if len(rest) > 0 && interpreters[rest[0].text].values != "" { // uv run python x.py
		return s.command(rest)
	}
	return s.reference(program, rest)
}

// unwrap takes prompts, assignments and programs that run another one from the front of a command.
func unwrap(words []word) []word {
	wrapped := false
	for len(words) > 0 {
		w := words[0].text
		switch {
		case w == "$", w == ">", w == "%", w == "!", w == "then", w == "do", w == "if":
		case isAssignment(w):
		case slices.Contains(wrappers, w):
			wrapped = true
		case wrapped && (w == "run" || w == "exec" || strings.HasPrefix(w, "-")):
		default:
			return words
		}
		words = words[1:]
	}
	return nil
}

func isAssignment(w string) bool {
	name, _, ok := strings.Cut(w, "=")
	return ok && name != "" && strings.IndexFunc(name, func(r rune) bool {
		return r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) < 0
}

// enter follows a change of folder.
func (s *shell) enter(to []word) {
	if len(to) == 0 {
		s.lost = true
		return
	}
	base, rest := cutVariable(to[0].text)
	s.base, s.lost = base, base == HereBase || rest != ""
}

// reference reads the first of words as the path of a script.
func (s *shell) reference(program string, words []word) (Reference, bool) {
	if len(words) == 0 || !strings.ContainsAny(words[0].text, `/\`) || HasScheme(words[0].text) {
		return Reference{}, false
	}
	r := Reference{Kind: RunReference, Span: words[0].at}
	r.Base, r.Path = cutVariable(words[0].text)
	if r.Base == HereBase {
		r.Base = s.base
	}
	r.Run = &Run{Program: program, Dotted: strings.HasPrefix(r.Path, "./")}
	for _, w := range words[1:] {
		if w.text == "--" {
			break
		}
		if len(w.text) > 1 && w.text[0] == '-' {
			name, _, _ := strings.Cut(w.text, "=")
			r.Run.Flags = append(r.Run.Flags, Flag{name, text.Span{Start: w.at.Start, End: min(w.at.Start+len(name), w.at.End)}})
		}
	}
	return r, true
}

// wordReader splits a line of a shell into commands and words. Of expansions and nesting it knows only that
// they end a command.
type wordReader struct {
	src     string
	at, end int
	heredoc string
	plain   []byte // memory for a word without its quotes
}

// command appends the words of the next command, and tells whether there may be another one.
func (w *wordReader) command(words []word) (_ []word, more bool) {
	redirected := false
	for w.at < w.end {
		switch c := w.src[w.at]; {
		case c == ' ', c == '\t', c == '\n', c == '\r':
			w.at++
		case c == '\\' && w.breaks():
			w.at++
		case c == '#':
			w.at = w.end
		case strings.IndexByte(";&|()`", c) >= 0:
			w.at++
			return words, true
		case c == '<' && strings.HasPrefix(w.src[w.at:w.end], "<<"):
			w.document()
			redirected = true
		case c == '>' && len(words) == 0:
			w.at++ // the mark of a quotation or of a prompt
		case c == '>', c == '<' && !w.placeholder():
			w.at++
			redirected = true
		default:
			if next := w.word(); !redirected {
				words = append(words, next)
			}
		}
	}
	return words, false
}

// breaks reports whether the backslash at w.at continues the line.
func (w *wordReader) breaks() bool {
	return w.at+1 == w.end || w.src[w.at+1] == '\n' || w.src[w.at+1] == '\r'
}

// placeholder reports whether a word in angle brackets starts at w.at.
func (w *wordReader) placeholder() bool {
	rest := w.src[w.at+1 : w.end]
	n := strings.IndexByte(rest, '>')
	return n > 0 && !strings.ContainsAny(rest[:n], " \t/")
}

// document notes the word that ends a here document.
func (w *wordReader) document() {
	w.at += len("<<")
	for w.at < w.end && strings.IndexByte("-<~ ", w.src[w.at]) >= 0 {
		w.at++
	}
	if w.at < w.end {
		w.heredoc = w.word().text
	}
}

// word reads a word; there is one at w.at.
func (w *wordReader) word() word {
	start := w.at
	var plain []byte // the word without quotes, once one is seen
	quote := byte(0)
	for ; w.at < w.end; w.at++ {
		c := w.src[w.at]
		switch {
		case quote == 0 && (c == '"' || c == '\'') || quote != 0 && c == quote:
			if plain == nil {
				plain = append(w.unquoted(), w.src[start:w.at]...)
			}
			quote ^= c // opens, or closes what is open
			continue
		case quote == 0 && c == '<' && w.placeholder():
			n := strings.IndexByte(w.src[w.at:w.end], '>')
			if plain != nil {
				plain = append(plain, w.src[w.at:w.at+n]...)
			}
			w.at += n
			c = '>'
		case quote == 0 && endsWord[c]:
			return w.made(start, plain)
		}
		if plain != nil {
			plain = append(plain, c)
		}
	}
	return w.made(start, plain)
}

// endsWord has the characters that end a word outside quotes.
var endsWord = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, ';': true, '&': true, '|': true, '(': true, ')': true, '`': true, '<': true, '>': true}

// unquoted returns the memory for the word that is being read.
func (w *wordReader) unquoted() []byte {
	if w.plain == nil {
		w.plain = make([]byte, 0, 64)
	}
	return w.plain[:0]
}

// made returns the word from start to w.at, its place without quotes around the whole of it. plain is its text,
// nil when it holds no quotes.
func (w *wordReader) made(start int, plain []byte) word {
	at := text.Span{Start: start, End: w.at}
	raw := at.In(w.src)
	if plain == nil {
		return word{raw, at}
	}
	if len(raw) == len(plain)+2 && raw[1:len(raw)-1] == string(plain) {
		at = text.Span{Start: start + 1, End: w.at - 1}
		return word{at.In(w.src), at}
	}
	return word{string(plain), at}
}
