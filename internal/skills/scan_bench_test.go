package skills

import (
	"fmt"
	"strings"
	"testing"
)

// skillSection is about 1 KB of the kind of text skills are written in.
const skillSection = `## Extract text and tables

Use this when the user asks for **structured data** from a PDF. Start with the quick path; only fall
back to OCR ([guide](references/ocr.md)) when ` + "`pdftotext`" + ` returns nothing.

1. Check the file with ` + "`scripts/check.py <file>`" + ` and read the report
2. Choose a strategy:
   - *Native text*: see [native extraction](references/native.md#layout "Layout")
   - *Scans*: see ![the pipeline](assets/pipeline.png) and https://example.com/ocr
3. Write the result to ` + "`output/`" + `, one file a page

` + "```bash\npython scripts/extract.py --input \"$1\" \\\n  --format json > output/tables.json\n```" + `

| Option | Default | Meaning |
|---|:-:|---|
| ` + "`--pages`" + ` | all | which pages, e.g. ` + "`1-3,7`" + ` |
| ` + "`--format`" + ` | json | one of json, csv \| tsv |

> **Note:** never send the document to a third party. See <https://example.com/privacy>.

<!-- keep in step with references/native.md -->

`

func BenchmarkScanBody(b *testing.B) {
	for _, kb := range []int{5, 50} {
		src := strings.Repeat(skillSection, kb<<10/len(skillSection))
		b.Run(fmt.Sprintf("%dKB", kb), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				ScanBody(src, 0)
			}
		})
	}
}
