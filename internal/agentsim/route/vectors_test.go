package route

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// toy has meanings in three directions: papers of money, plants and weather.
const toy = `12 3
invoice 1 0 0
bill 0.9 0.1 0
receipt 0.95 0 0.1
flower 0 1 0
rose 0.1 0.9 0
storm 0 0 1
请款 1 0.1 0
天气 0 0.1 1
暴雨 0 0 1
. . . 0.5 0.5 0.5
Paris 0.2 0.2 0.2
unused -1 -1 -1
`

var toySkills = []Skill{
	{ID: "a", Name: "garden", Description: "Waters each flower."},
	{ID: "b", Name: "money", Description: "Writes an invoice."},
	{ID: "c", Name: "chinese", Description: "看天气。"},
}

func best(x *Index, query string) string { return x.Rank(query)[0].Skill.ID }

// What words mean decides where none is shared, and changes nothing without a file.
func TestEmbed(t *testing.T) {
	queries := []string{"a receipt please", "roses: one rose", "请款", "暴雨"}
	x := New(toySkills)
	plain := x.Rank(queries[0])
	c, err := x.Embed(strings.NewReader(toy), queries)
	if err != nil || c.Dimensions != 3 || c.Known != 4 || c.Words != 15 || c.Pieces != 3 {
		t.Fatalf("%+v, %v", c, err)
	}
	for query, want := range map[string]string{"a receipt please": "b", "roses: one rose": "a", "请款": "b", "暴雨": "c", "receipt": "b"} {
		if got := best(x, query); got != want {
			t.Errorf("%s goes to %s, want %s: %+v", query, got, want, x.Rank(query))
		}
	}
	if i := slices.IndexFunc(plain, func(h Hit) bool { return h.Skill.ID == "b" }); plain[i].Score != 0 {
		t.Errorf("without vectors: %+v", plain)
	}
	y := New(toySkills)
	if _, err := y.Embed(strings.NewReader(toy), queries); err != nil || fmt.Sprint(x.Rank(queries[0])) != fmt.Sprint(y.Rank(queries[0])) {
		t.Errorf("another order the second time: %v", err)
	}
	if len(x.vectors.words) != 7 {
		t.Errorf("kept %d vectors", len(x.vectors.words))
	}
}

// Shared words count as before, and a meaning that points elsewhere takes nothing away.
func TestEmbedKeepsWords(t *testing.T) {
	x := New(toySkills)
	before := x.Rank("storm invoice")
	if _, err := x.Embed(strings.NewReader(toy), []string{"storm invoice"}); err != nil {
		t.Fatal(err)
	}
	for _, h := range x.Rank("storm invoice") {
		i := slices.IndexFunc(before, func(b Hit) bool { return b.Skill.ID == h.Skill.ID })
		if h.Score < before[i].Score {
			t.Errorf("%s: %v, was %v", h.Skill.ID, h.Score, before[i].Score)
		}
	}
}

// The three programs write their text forms with and without a first line, and with blanks at the end of lines.
func TestEmbedForms(t *testing.T) {
	for name, src := range map[string]string{
		"GloVe":      "invoice 1 0\nflower 0 1\n",
		"word2vec":   "2 2\ninvoice 1 0 \nflower 0 1 \n",
		"fastText":   "2 2\ninvoice 1e0 -0.0\nflower 0 1\n",
		"Windows":    "\ufeff2 2\r\ninvoice 1 0\r\nFlower 0 1\r\n\r\n",
		"in capital": "INVOICE 1 0\nflower 0 1\n",
	} {
		if c, err := New(toySkills).Embed(strings.NewReader(src), nil); err != nil || c.Known != 2 || c.Dimensions != 2 {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

func TestEmbedErrors(t *testing.T) {
	for src, want := range map[string]string{
		"":                                   "line 1: there are no vectors",
		"\n\n":                               "line 1: there are no vectors",
		"word\n":                             `line 1: "word": write a word and its numbers behind it`,
		"a 1 2\nb 1\n":                       `line 2: "b 1": write a word and 2 numbers, as many as before, behind it`,
		"a 1 2\nb 1 2 3\n":                   `line 2: "b 1 2 3": write a word and 2 numbers`,
		"3 0\n":                              "line 1: the vectors have 0 numbers",
		"3 9999\n":                           "line 1: the vectors have 9999 numbers; between 1 and 4096 can be read",
		"flower 1 x\n":                       `line 1: the vector of "flower": "x" is no number`,
		"a 1 2\nflower 1 NaN\n":              `line 2: the vector of "flower": "NaN" is no number`,
		"\x1f\x8b\x08":                       "line 1: the file is compressed",
		`{"a": [1, 2]}`:                      "line 1: ",
		"a 1\n" + strings.Repeat("x", 2<<20): "line 2: is longer than a megabyte",
	} {
		if _, err := New(toySkills).Embed(strings.NewReader(src), nil); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", src, err, want)
		}
	}
}

// FuzzEmbed: no file may bring it down, and what it takes gives scores that are numbers.
func FuzzEmbed(f *testing.F) {
	f.Add(toy)
	f.Add("flower 1e38 -1e38\ninvoice 1e38 1e38\n")
	f.Add("2 1\n花 0\nflower 0\n")
	f.Fuzz(func(t *testing.T, src string) {
		x := New(toySkills)
		if _, err := x.Embed(strings.NewReader(src), []string{"rose 请款"}); err != nil {
			return
		}
		for _, h := range x.Rank("rose invoice 花") {
			if !(h.Score >= 0) {
				t.Fatalf("%+v", h)
			}
		}
	})
}
