package exact_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/racetest"
	"github.com/skill-ls/skill-ls/internal/tokens"
	"github.com/skill-ls/skill-ls/internal/tokens/exact"
)

// TestKnownCounts holds the vocabulary against counts that are published or easy to check by hand.
func TestKnownCounts(t *testing.T) {
	for text, want := range map[string]int{"": 0, "hello world": 2, "\n": 1, "tiktoken is great!": 6} {
		if got := exact.Count(text); got != want {
			t.Errorf("%q has %d tokens, want %d", text, got, want)
		}
	}
}

// TestMemoCountsTheSame counts long texts line by line, as a whole.
func TestMemoCountsTheSame(t *testing.T) {
	var memo tokens.Memo
	count := memo.Counter(exact.Encoding, exact.Count)
	for _, lines := range []string{
		"- **photos**: Sorts (all) of them;\n", "<skill>\n  <name>x</name>\n</skill>\n", "a\n\n\nb\n  \n\tc\r\nd.\n/e\n//\n", "…)\n/\n#\n日本語\n语\n'll\n12345\n6\n",
		"word \n word\n  \n", "-\n-\n--\n=\n{\n}\n\"\n\\n\n", "x\u00a0\ny\u2028z\n\u0301a\n",
	} {
		text := strings.Repeat(lines, 400)
		if got, want := count(text), exact.Count(text); got != want {
			t.Errorf("%q again and again: %d, want %d", lines, got, want)
		}
	}
}

// TestEstimate holds the estimate against the count for texts of several kinds.
func TestEstimate(t *testing.T) {
	for name, text := range map[string]string{
		"prose":    "Renames photos by the date they were taken, sorts them into folders by year and month, and keeps a log of what was moved.\n\nUse when photos have camera names.\n",
		"code":     "```python\nimport argparse\n\nparser = argparse.ArgumentParser(description=\"Rename\")\nparser.add_argument(\"--dry-run\", action=\"store_true\")\nprint(parser.parse_args())\n```\n",
		"japanese": "依存関係管理、最適化、設計、運用監視設定。ビルドエラー、開発環境、運用設定の問題が必要な時に使用。",
		"table":    "| Model | Input | Output |\n|---|---|---|\n| one | 1.50 | 7.50 |\n| two | 0.30 | 2.50 |\n",
	} {
		got, want := tokens.Estimate(text), exact.Count(text)
		if off := math.Abs(float64(got-want)) / float64(want); off > 0.3 {
			t.Errorf("%s: estimate %d, count %d: off by %.0f %%", name, got, want, off*100)
		}
	}
}

// TestEstimateOnCorpus recomputes how far the estimate is off for published skills.
func TestEstimateOnCorpus(t *testing.T) {
	racetest.Skip(t)
	shared := os.Getenv("SKILLLINT_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "..", "shared")
	}
	files, err := filepath.Glob(filepath.Join(shared, "corpus", "dev", "*", "skills", "*", "SKILL.md"))
	if err != nil || len(files) == 0 {
		t.Skipf("the shared material is not here: %d files, %v", len(files), err)
	}
	var off []float64
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if want := exact.Count(string(raw)); want > 0 {
			off = append(off, math.Abs(float64(tokens.Estimate(string(raw))-want))/float64(want))
		}
	}
	slices.Sort(off)
	median, most := off[len(off)/2], off[len(off)*9/10]
	t.Logf("%d files: median %.3f, nine in ten within %.3f", len(off), median, most)
	if median > 0.05 || most > 0.10 {
		t.Errorf("the estimate is off by %.3f (median) and %.3f (nine in ten)", median, most)
	}
}
