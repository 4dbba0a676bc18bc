package dialect

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// showValue writes the value of d as kind and text, and what a dialect refuses
// as "-".
func showValue(t *testing.T, name, yaml string) string {
	t.Helper()
	m, err := Parse(name, yaml, Options{})
	if err != nil {
		return "-"
	}
	v := m.Get("d")
	return v.Kind.String() + " " + v.Text
}

// A row is what seven dialects make of a plain scalar. Written from the real
// parsers: PyYAML 6.0.3, yaml 2.x, js-yaml 3.14.1 and 4.1.0, and yaml.v3.
// serde and VS Code show the text as written, so that only the kind counts.
func TestPlainScalars(t *testing.T) {
	dialects := []string{"yaml11-pyyaml", "yaml12-core", "js-yaml3", "js-yaml4", "js-yaml-json", "go-yaml3-typed", "serde-yaml-typed"}
	tests := []struct {
		scalar string
		want   [7]string
	}{
		{"text", [7]string{"string text", "string text", "string text", "string text", "string text", "string text", "string text"}},
		{"yes", [7]string{"bool True", "string yes", "string yes", "string yes", "string yes", "bool yes", "string yes"}},
		{"Off", [7]string{"bool False", "string Off", "string Off", "string Off", "string Off", "bool Off", "string Off"}},
		{"yEs", [7]string{"string yEs", "string yEs", "string yEs", "string yEs", "string yEs", "string yEs", "string yEs"}},
		{"True", [7]string{"bool True", "bool true", "bool true", "bool true", "bool true", "bool True", "bool True"}},
		{"y", [7]string{"string y", "string y", "string y", "string y", "string y", "bool y", "string y"}},
		{"", [7]string{"null None", "null null", "null null", "null null", "null null", "null ", "null "}},
		{"~", [7]string{"null None", "null null", "null null", "null null", "null null", "null ~", "null ~"}},
		{"Null", [7]string{"null None", "null null", "null null", "null null", "null null", "null Null", "null Null"}},
		{"nULL", [7]string{"string nULL", "string nULL", "string nULL", "string nULL", "string nULL", "string nULL", "string nULL"}},
		{"=", [7]string{"-", "string =", "string =", "string =", "string =", "string =", "string ="}},
		{"0", [7]string{"int 0", "int 0", "int 0", "int 0", "int 0", "int 0", "int 0"}},
		{"+12", [7]string{"int 12", "int 12", "int 12", "int 12", "int 12", "int +12", "int +12"}},
		{"-0", [7]string{"int 0", "int 0", "int 0", "int 0", "int 0", "int -0", "int -0"}},
		{"0123", [7]string{"int 83", "int 123", "int 83", "int 123", "int 123", "int 0123", "string 0123"}},
		{"0128", [7]string{"string 0128", "int 128", "string 0128", "int 128", "int 128", "float 0128", "string 0128"}},
		{"0o17", [7]string{"string 0o17", "int 15", "string 0o17", "int 15", "int 15", "int 0o17", "int 0o17"}},
		{"0x1F", [7]string{"int 31", "int 31", "int 31", "int 31", "int 31", "int 0x1F", "int 0x1F"}},
		{"-0x1F", [7]string{"int -31", "string -0x1F", "int -31", "int -31", "int -31", "int -0x1F", "int -0x1F"}},
		{"0b11", [7]string{"int 3", "string 0b11", "int 3", "int 3", "int 3", "int 0b11", "int 0b11"}},
		{"0x", [7]string{"string 0x", "string 0x", "string 0x", "string 0x", "string 0x", "string 0x", "string 0x"}},
		{"1_000", [7]string{"int 1000", "string 1_000", "int 1000", "int 1000", "int 1000", "int 1_000", "string 1_000"}},
		{"1_", [7]string{"int 1", "string 1_", "string 1_", "string 1_", "string 1_", "int 1_", "string 1_"}},
		{"12:30", [7]string{"int 750", "string 12:30", "int 750", "string 12:30", "string 12:30", "string 12:30", "string 12:30"}},
		{"12:30:45", [7]string{"int 45045", "string 12:30:45", "int 45045", "string 12:30:45", "string 12:30:45", "string 12:30:45", "string 12:30:45"}},
		{"1:30.5", [7]string{"float 90.5", "string 1:30.5", "float 90.5", "string 1:30.5", "string 1:30.5", "string 1:30.5", "string 1:30.5"}},
		{"0:30", [7]string{"string 0:30", "string 0:30", "string 0:30", "string 0:30", "string 0:30", "string 0:30", "string 0:30"}},
		{"1.0", [7]string{"float 1.0", "float 1", "float 1", "float 1", "float 1", "float 1.0", "float 1.0"}},
		{"1.10", [7]string{"float 1.1", "float 1.1", "float 1.1", "float 1.1", "float 1.1", "float 1.10", "float 1.10"}},
		{".5", [7]string{"float 0.5", "float 0.5", "float 0.5", "float 0.5", "float 0.5", "float .5", "float .5"}},
		{"-.5", [7]string{"string -.5", "float -0.5", "string -.5", "string -.5", "string -.5", "float -.5", "float -.5"}},
		{"1e3", [7]string{"string 1e3", "float 1000", "float 1000", "float 1000", "float 1000", "float 1e3", "float 1e3"}},
		{"1.5e3", [7]string{"string 1.5e3", "float 1500", "float 1500", "float 1500", "float 1500", "float 1.5e3", "float 1.5e3"}},
		{"1.5e+3", [7]string{"float 1500.0", "float 1500", "float 1500", "float 1500", "float 1500", "float 1.5e+3", "float 1.5e+3"}},
		{".inf", [7]string{"float inf", "float Infinity", "float Infinity", "float Infinity", "float Infinity", "float .inf", "float .inf"}},
		{"-.INF", [7]string{"float -inf", "float -Infinity", "float -Infinity", "float -Infinity", "float -Infinity", "float -.INF", "float -.INF"}},
		{".NaN", [7]string{"float nan", "float NaN", "float NaN", "float NaN", "float NaN", "float .NaN", "float .NaN"}},
		{"2024-01-15", [7]string{
			"date 2024-01-15", "string 2024-01-15", "date Mon Jan 15 2024 00:00:00 GMT+0000 (Coordinated Universal Time)",
			"date Mon Jan 15 2024 00:00:00 GMT+0000 (Coordinated Universal Time)", "string 2024-01-15", "string 2024-01-15", "string 2024-01-15",
		}},
		{"2024-13-45", [7]string{
			"-", "string 2024-13-45", "date Fri Feb 14 2025 00:00:00 GMT+0000 (Coordinated Universal Time)",
			"date Fri Feb 14 2025 00:00:00 GMT+0000 (Coordinated Universal Time)", "string 2024-13-45", "string 2024-13-45", "string 2024-13-45",
		}},
		{"2024-1-5", [7]string{"string 2024-1-5", "string 2024-1-5", "string 2024-1-5", "string 2024-1-5", "string 2024-1-5", "string 2024-1-5", "string 2024-1-5"}},
		{"123456789012345678901234567890", [7]string{
			"int 123456789012345678901234567890", "int 1.2345678901234568e+29", "int 1.2345678901234568e+29",
			"int 1.2345678901234568e+29", "int 1.2345678901234568e+29", "float 123456789012345678901234567890", "int 123456789012345678901234567890",
		}},
		{"9007199254740993", [7]string{
			"int 9007199254740993", "int 9007199254740992", "int 9007199254740992", "int 9007199254740992", "int 9007199254740992",
			"int 9007199254740993", "int 9007199254740993",
		}},
	}
	for _, tt := range tests {
		for i, name := range dialects {
			if got := showValue(t, name, "d: "+tt.scalar+"\n"); got != tt.want[i] {
				t.Errorf("%s: %q is %q, want %q", name, tt.scalar, got, tt.want[i])
			}
		}
	}
}

// Quotes make every scalar a text, in every YAML dialect.
func TestQuotedScalarsAreTexts(t *testing.T) {
	for _, name := range Names() {
		if strings.HasPrefix(name, "line") || strings.HasPrefix(name, "regex") {
			continue
		}
		for _, s := range []string{"yes", "0123", "1e3", "~", "", "2024-01-15", "=", "<<", "a: b", "# c"} {
			for _, quote := range []string{"'", `"`} {
				yaml := "d: " + quote + s + quote + "\n"
				if got := showValue(t, name, yaml); got != "string "+s {
					t.Errorf("%s: %s is %q", name, yaml, got)
				}
			}
		}
	}
}

func TestPythonTexts(t *testing.T) {
	tests := []struct{ yaml, want string }{
		{"[a, 'b', 1, 1.0, yes, null]", "list ['a', 'b', 1, 1.0, True, None]"},
		{"{x: 1, y: it's}", `map {'x': 1, 'y': "it's"}`},
		{`["a'b\"c", "t\tn\n", "é\u200b"]`, `list ['a\'b"c', 't\tn\n', 'é\u200b']`},
		{"[2024-01-15, 2024-01-15 10:20:30]", "list [datetime.date(2024, 1, 15), datetime.datetime(2024, 1, 15, 10, 20, 30)]"},
		{"2024-01-15 10:00:00.5 -05:30", "date 2024-01-15 10:00:00.500000-05:30"},
		{"2024-01-15T10:00:00Z", "date 2024-01-15 10:00:00+00:00"},
		{"2024-01-15 25:00:00", "-"},
		{"!!str 5", "string 5"},
		{"!!int '5'", "int 5"},
		{"!!float 5", "float 5.0"},
		{"!!int x", "-"},
		{"!local x", "-"},
		{"[]", "list []"},
		{"1.0e-5", "float 1e-05"},
	}
	for _, tt := range tests {
		if got := showValue(t, "yaml11-pyyaml", "d: "+tt.yaml+"\n"); got != tt.want {
			t.Errorf("%s is %s, want %s", tt.yaml, got, tt.want)
		}
	}
}

func TestScriptTexts(t *testing.T) {
	tests := []struct{ yaml, want string }{
		{"[a, 1.0, true, null, [b, c]]", "list a,1,true,,b,c"},
		{"{a: b}", "map [object Object]"},
		{"1e21", "float 1e+21"},
		{"1e20", "float 100000000000000000000"},
		{"0.0000001", "float 1e-7"},
		{"0.000001", "float 0.000001"},
		{"1e400", "float Infinity"},
		{"!!str 5", "string 5"},
		{"! 5", "string 5"},
		{"!local x", "string x"},
		{`"\ud83d\ude00"`, "string 😀"},
		{`"\ud83d"`, "string \ufffd"},
		{`"\\ud83d\\ude00"`, `string \ud83d\ude00`},
	}
	for _, tt := range tests {
		if got := showValue(t, "yaml12-core", "d: "+tt.yaml+"\n"); got != tt.want {
			t.Errorf("%s is %s, want %s", tt.yaml, got, tt.want)
		}
	}
	if got := showValue(t, "js-yaml4", "d: !local x\n"); got != "-" {
		t.Errorf("js-yaml takes an unknown tag as %s", got)
	}
}

// Raw tells a plain scalar from a quoted one, and an empty value from null.
func TestRaw(t *testing.T) {
	for _, name := range []string{"yaml11-pyyaml", "yaml12-core", "js-yaml4", "go-yaml3-typed", "serde-yaml-typed", "vscode-subset"} {
		m, err := Parse(name, "a: 0042\nb: '0042'\nc: null\nd:\n", Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := fmt.Sprint(m.Get("a").Raw, ",", m.Get("b").Raw, ",", m.Get("c").Raw, ",", m.Get("d").Raw)
		if want := fmt.Sprint("0042", ",", "", ",", "null", ",", ""); got != want {
			t.Errorf("%s: raw texts %s, want %s", name, got, want)
		}
	}
}

func TestKindNames(t *testing.T) {
	var names []string
	for k := Missing; k <= Mapping; k++ {
		names = append(names, k.String())
	}
	want := []string{"missing", "string", "int", "float", "bool", "null", "date", "list", "map"}
	if !slices.Equal(names, want) {
		t.Errorf("kinds are %v", names)
	}
}
