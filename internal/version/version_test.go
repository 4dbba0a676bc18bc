package version

import (
	"runtime/debug"
	"testing"
)

func info(module string, settings ...string) *debug.BuildInfo {
	out := &debug.BuildInfo{Main: debug.Module{Version: module}}
	for i := 0; i < len(settings); i += 2 {
		out.Settings = append(out.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
	}
	return out
}

func TestText(t *testing.T) {
	vcs := []string{"vcs.revision", "5446bea00112233445566778899", "vcs.time", "2026-11-30T16:26:02Z"}
	for _, c := range []struct {
		set    string
		commit string
		info   *debug.BuildInfo
		want   string
	}{
		{"", "", nil, Development},
		{"", "", info("(devel)"), Development},
		{"", "", info("v0.0.0-20261130162602-5446bea00112", vcs...), Development + " (commit 5446bea00112, 2026-11-30)"},
		{"", "", info("v0.3.1-0.20261130162602-5446bea00112+dirty", append(vcs, "vcs.modified", "true")...), Development + " (commit 5446bea00112, changed, 2026-11-30)"},
		{"", "", info("v0.2.0"), "0.2.0"},
		{"", "", info("v0.2.0-rc.1"), "0.2.0-rc.1"},
		{"0.3.0", "", info("v0.2.0", vcs...), "0.3.0 (commit 5446bea00112, 2026-11-30)"},
		{"0.3.0", "", info("", "vcs.modified", "false"), "0.3.0"},
		{"0.3.0", "ffeebb001122334455", info("v0.2.0", vcs...), "0.3.0 (commit ffeebb001122, 2026-12-24)"},
	} {
		if got := numberOf(c.set, c.info) + origin(c.commit, "2026-12-24", c.info); got != c.want {
			t.Errorf("%q and %+v: %s, want %s", c.set, c.info, got, c.want)
		}
	}
}
