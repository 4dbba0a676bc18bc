package recording

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

var update = flag.Bool("update", false, "write what is read from the recordings as the expected traces")

// trace writes down what it is told.
type trace struct {
	strings.Builder
	open map[*Call]int // calls without an end
	ends map[*Call]bool
	sum  *Summary
}

func newTrace() *trace { return &trace{open: map[*Call]int{}, ends: map[*Call]bool{}} }

func (t *trace) Start(s *Summary) { t.sum = s }

func (t *trace) Turn(thread, text string) { fmt.Fprintf(t, "turn %q %q\n", thread, text) }

func (t *trace) Begin(c *Call) {
	t.open[c]++
	fmt.Fprintf(t, "begin line %d: %s", c.Line, c.Name)
	if c.Server != "" {
		fmt.Fprintf(t, " (%s of %s)", c.Tool, c.Server)
	}
	fmt.Fprintf(t, " %s", c.Arguments.Raw())
	if c.Fault != "" {
		fmt.Fprintf(t, " %q: %s", c.Raw, c.Fault)
	}
	fmt.Fprintf(t, " session %q thread %q time %q\n", c.Session, c.Thread, c.Time)
}

func (t *trace) End(c *Call) {
	t.open[c]--
	t.ends[c] = true
	fmt.Fprintf(t, "end line %d", c.Line)
	if c.Result == nil {
		t.WriteString(": no result\n")
		return
	}
	var blocks []string
	for _, b := range c.Result.Content() {
		blocks = append(blocks, b.Raw())
	}
	fmt.Fprintf(t, ", result on line %d: [%s] structured %q failed %v state %q cut %v server %q took %v\n",
		c.ResultLine, strings.Join(blocks, " "), c.Result.Structured.Raw(), c.Result.Failed, c.Result.State, c.Result.Cut(), c.Server, c.Duration)
}

func (t *trace) Offered(s *catalog.Server, line int) {
	fmt.Fprintf(t, "line %d: server %q offers", line, s.Name)
	for _, tool := range s.Tools {
		fmt.Fprintf(t, " %s", tool.Name())
	}
	t.WriteByte('\n')
}

// read returns what is read from a recording.
func read(t testing.TB, data []byte, format Format) (string, *trace) {
	t.Helper()
	tr := newTrace()
	sum, err := Read(bytes.NewReader(data), format, tr)
	fmt.Fprintf(tr, "format %s, client %q %q, folder %q, %d lines, %d calls, %d again, %d lost\n",
		sum.Format, sum.Client, sum.Version, sum.Folder, sum.Lines, sum.Calls, sum.Again, sum.Lost)
	for _, n := range sum.Notes {
		fmt.Fprintf(tr, "note line %d, %d times, broken %v: %s\n", n.Line, n.Count, n.Broken, n.Message)
	}
	if err != nil {
		fmt.Fprintf(tr, "error: %v\n", err)
	}
	return tr.String(), tr
}

// TestRecordings reads one recording of each format, of which the format has to be found out.
func TestRecordings(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json*")
	if err != nil {
		t.Fatal(err)
	}
	formats := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got, tr := read(t, data, "")
		formats[string(tr.sum.Format)] = true
		golden := file[:len(file)-len(filepath.Ext(file))] + ".want"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
		}
	}
	for _, f := range Formats() {
		if !formats[f] {
			t.Errorf("no recording in testdata has the format %s", f)
		}
	}
}

// TestDocument holds that a document reads the same on one line, with a line for each value, and with a byte order mark.
func TestDocument(t *testing.T) {
	for _, name := range []string{"openai-chat.json", "anthropic.json", "gemini.json", "agentscope-1.json"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		n, err := catalog.ParseBytes(data)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := read(t, data, "")
		for what, src := range map[string]string{
			"one line":          strings.Join(strings.Fields(n.Raw()), " "),
			"byte order mark":   "\ufeff" + string(data),
			"Windows":           strings.ReplaceAll(string(data), "\n", "\r\n"),
			"blank lines first": "\n \n" + string(data),
		} {
			got, _ := read(t, []byte(src), "")
			if withoutLines(got) != withoutLines(want) {
				t.Errorf("%s, %s: got\n%s\nwant\n%s", name, what, got, want)
			}
		}
	}
}

// withoutLines leaves out where things stand.
func withoutLines(trace string) string {
	var out []string
	for _, w := range strings.Fields(trace) {
		if strings.Trim(w, "0123456789,:") != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// TestBroken holds that what cannot be read is told with its line, and that the rest is read.
func TestBroken(t *testing.T) {
	call := `{"role":"assistant","tool_calls":[{"id":"%s","function":{"name":"find","arguments":"{}"}}]}`
	one, two := fmt.Sprintf(call, "1"), fmt.Sprintf(call, "2")
	for name, c := range map[string]struct {
		in    string
		calls int
		want  string // notes
	}{
		"a broken line":             {one + "\n{\"role\": \n" + two + "\n", 2, "2: this is no JSON: unexpected end of JSON input"},
		"a broken first line":       {"role\":\"user\"}\n" + one + "\n" + two + "\n", 2, "1: this is no JSON: invalid character 'r' looking for beginning of value"},
		"a first line that is cut":  {"{\"role\": \n" + one + "\n" + two + "\n", 2, "1: this is no JSON: unexpected end of JSON input"},
		"a lone carriage return":    {one + "\n{\"role\":\ruser\"}\n" + two, 2, "2: this is no JSON: invalid character 'u' looking for beginning of value"},
		"text between":              {one + "\n\n# a comment\n" + two, 2, "3: this is no JSON: invalid character '#' looking for beginning of value"},
		"a value that is none":      {one + "\n17\n" + two, 2, "2: a value that is no message was passed over"},
		"a list that ends too soon": {"[\n" + one + ",\n" + two + ",\n{\"role\":", 2, "4: the recording ends inside this value"},
		"a list without its end":    {"[\n" + one + ",\n" + two + "\n", 2, "3: the recording ends before its last bracket is closed"},
		"a broken element":          {"[\n" + one + ",\n{\"role\" \"user\"},\n" + two + "\n]", 2, "3: this is no JSON: invalid character '\"' after object key"},
		"broken below its start":    {"[\n" + one + ",\n{\n\"role\":\n\"user\",,\n},\n" + two + "\n]", 2, "5: this is no JSON: invalid character ',' looking for beginning of object key string"},
		"a line that is too long":   {one + "\n\"" + strings.Repeat("x", maxValue) + "\"\n" + two, 2, "2: " + tooLong},
		"an element that is":        {"[" + one + ",\n\"" + strings.Repeat("x", maxValue) + "\",\n" + two + "]", 2, "2: " + tooLong},
	} {
		sum, err := Read(strings.NewReader(c.in), "", newTrace())
		var notes []string
		for _, n := range sum.Notes {
			notes = append(notes, fmt.Sprintf("%d: %s", n.Line, n.Message))
		}
		if err != nil || sum.Calls != c.calls || strings.Join(notes, "\n") != c.want {
			t.Errorf("%s: %d calls, error %v, notes\n%s\nwant\n%s", name, sum.Calls, err, strings.Join(notes, "\n"), c.want)
		}
	}
}

func TestUnknown(t *testing.T) {
	for _, in := range []string{"", "hello\nworld\n", `{"a":1}`, "[1,2]", "{\"name\":\"x\",\"version\":\"1\"}\n"} {
		if _, err := Read(strings.NewReader(in), "", newTrace()); !errors.Is(err, ErrUnknown) {
			t.Errorf("%q: got %v", in, err)
		}
	}
	if _, err := Read(strings.NewReader(""), "cobol", newTrace()); err == nil || !strings.Contains(err.Error(), "openai-chat") {
		t.Errorf("got %v", err)
	}
	fault := errors.New("the disk is gone")
	in := io.MultiReader(strings.NewReader("{\"role\":\"user\"}\n"), iotest.ErrReader(fault))
	if _, err := Read(in, "", newTrace()); !errors.Is(err, fault) {
		t.Errorf("got %v", err)
	}
}

// TestManyNotes holds that a recording of nothing but faults is bounded.
func TestManyNotes(t *testing.T) {
	var b strings.Builder
	b.WriteString("{\"role\":\"user\"}\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "%c\n{\"a%d\"\n", 'g'+rune(i%20), i)
	}
	sum, err := Read(strings.NewReader(b.String()), OpenAIChat, newTrace())
	if err != nil || len(sum.Notes) > maxNotes {
		t.Errorf("%d notes, %v", len(sum.Notes), err)
	}
	total := 0
	for _, n := range sum.Notes {
		total += n.Count
	}
	if total != 2000 {
		t.Errorf("%d faults are told, want 2000", total)
	}
}

// TestManyOpen holds that calls without a result do not pile up.
func TestManyOpen(t *testing.T) {
	var b strings.Builder
	for i := range maxPending + 5 {
		fmt.Fprintf(&b, "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"%d\",\"function\":{\"name\":\"find\",\"arguments\":\"{}\"}}]}\n", i)
	}
	tr := newTrace()
	sum, err := Read(strings.NewReader(b.String()+"{\"role\":\"tool\",\"tool_call_id\":\"0\",\"content\":\"late\"}\n"), "", tr)
	if err != nil || sum.Calls != maxPending+5 || len(tr.ends) != maxPending+5 || sum.Lost != 0 {
		t.Errorf("%d calls, %d ended, %d lost, %v", sum.Calls, len(tr.ends), sum.Lost, err)
	}
}

// TestWrite holds that what is written reads as the same calls.
func TestWrite(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.json*")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w := &copier{trace: newTrace()}
		if _, err := Read(bytes.NewReader(data), "", w); err != nil {
			t.Fatal(err)
		}
		again := &copier{trace: newTrace()}
		if _, err := Read(strings.NewReader(w.out.String()), "", again); err != nil {
			t.Fatalf("%s: %v in\n%s", file, err, w.out.String())
		}
		if again.out.String() != w.out.String() || w.out.Len() == 0 {
			t.Errorf("%s: got\n%s\nwant\n%s", file, again.out.String(), w.out.String())
		}
	}
}

// copier writes the calls that it is told of.
type copier struct {
	*trace
	out bytes.Buffer
}

func (c *copier) End(call *Call) {
	if err := Write(&c.out, "", call, (*catalog.Node).Raw); err != nil {
		panic(err)
	}
}
