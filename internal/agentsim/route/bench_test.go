package route_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/agentsim/route"
)

// vocabulary gives the made-up skills their words.
var vocabulary = strings.Fields(`deploy review invoice spreadsheet kubernetes cluster profile trace memory latency
report summary customer ticket release branch merge conflict schema migration database query index backup restore
image video audio transcript translate glossary contract clause legal budget forecast revenue chart dashboard alert
incident postmortem runbook terraform module lambda queue topic stream event payment refund webhook oauth token
session cookie browser scrape crawl sitemap keyword campaign newsletter podcast slide poster figure citation paper`)

// catalogue makes n skills with descriptions of about 400 characters.
func catalogue(n int) []route.Skill {
	out := make([]route.Skill, n)
	seed := uint32(1)
	word := func() string {
		seed = seed*1664525 + 1013904223
		return vocabulary[int(seed>>8)%len(vocabulary)]
	}
	for i := range out {
		var b strings.Builder
		for b.Len() < 400 {
			fmt.Fprintf(&b, "%s %s%d the %s of a %s. ", word(), word(), i%97, word(), word())
		}
		out[i] = route.Skill{ID: fmt.Sprint(i), Name: fmt.Sprintf("%s-%s-%d", word(), word(), i), Description: b.String()}
	}
	return out
}

// BenchmarkRank ranks 5,000 skills for a query of 200 characters.
func BenchmarkRank(b *testing.B) {
	x := route.New(catalogue(5000))
	query := "Please review the migration of our payment database and tell me whether the backup and restore steps in the runbook would survive an incident during the next release, or whether we need another one first"
	b.ResetTimer()
	for b.Loop() {
		if hits := x.Rank(query); len(hits) != 5000 {
			b.Fatal(len(hits))
		}
	}
}

func BenchmarkIndex(b *testing.B) {
	skills := catalogue(5000)
	for b.Loop() {
		route.New(skills)
	}
}
