// Package version says which version of the programs this is.
package version

import (
	"cmp"
	"regexp"
	"runtime/debug"
)

// Development is the version of what is no release.
const Development = "0.1.0-dev"

// Set when a release is built: -ldflags "-X …/internal/version.number=0.1.0".
var (
	number string
	commit string // its hash
	date   string // of the commit, 2026-11-30
)

// Number is the version, such as 0.1.0.
func Number() string {
	info, _ := debug.ReadBuildInfo()
	return numberOf(number, info)
}

// Text is the version with the commit it was built from, where that is known: 0.1.0 (commit 5446bea00112, 2026-11-30).
func Text() string {
	info, _ := debug.ReadBuildInfo()
	return numberOf(number, info) + origin(commit, date, info)
}

// released is the form of a version that `go install MODULE@VERSION` builds; made-up ones, for commits without a tag,
// tell less than the commit itself.
var (
	released = regexp.MustCompile(`^v(\d+\.\d+\.\d+(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?)$`)
	pseudo   = regexp.MustCompile(`\d{14}-[0-9a-f]{12}`)
)

func numberOf(set string, info *debug.BuildInfo) string {
	if set != "" || info == nil || pseudo.MatchString(info.Main.Version) {
		return cmp.Or(set, Development)
	}
	if m := released.FindStringSubmatch(info.Main.Version); m != nil {
		return m[1]
	}
	return Development
}

const (
	commitLength = 12 // of a commit's hash that are shown
	dateLength   = len("2026-11-30")
)

// origin tells the commit: the one that was set, else that of the repository the program was built in.
func origin(commit, date string, info *debug.BuildInfo) string {
	changed := ""
	if commit == "" && info != nil {
		setting := map[string]string{}
		for _, s := range info.Settings {
			setting[s.Key] = s.Value
		}
		commit, date = setting["vcs.revision"], setting["vcs.time"]
		if setting["vcs.modified"] == "true" {
			changed = ", changed"
		}
	}
	if commit == "" {
		return ""
	}
	text := " (commit " + commit[:min(len(commit), commitLength)] + changed
	if len(date) >= dateLength {
		text += ", " + date[:dateLength]
	}
	return text + ")"
}
