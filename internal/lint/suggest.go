package lint

import (
	"fmt"
	"strings"
)

// Nearest returns the known word that a misspelt one most likely stands for, or "": another spelling of
// case, hyphens and underscores, or at most one change in each four characters.
func Nearest(word string, known []string) string {
	best, bestDistance := "", len(word)/4+1
	for _, k := range known {
		if fold(k) == fold(word) {
			return k
		}
		if d := Distance(word, k); d < bestDistance || d == bestDistance && best == "" && len(word) >= 4 {
			best, bestDistance = k, d
		}
	}
	return best
}

// Suggest returns "; did you mean …?" or "".
func Suggest(word string, known []string) string {
	if k := Nearest(word, known); k != "" {
		return fmt.Sprintf("; did you mean %q?", k)
	}
	return ""
}

var noHyphens = strings.NewReplacer("-", "", "_", "")

func fold(s string) string { return strings.ToLower(noHyphens.Replace(s)) }

// Distance returns the number of characters to insert, delete, replace or swap with their neighbour to
// turn a into b (optimal string alignment).
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, prev, cur := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		cur[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(y)]
}
