package mcpprobe

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReportFitsItsSchema(t *testing.T) {
	launches := []Launch{bad("shape-hdr"), bad("noise"), bad("crash"), bad("pretty"), {Name: "nothing"}}
	results := Probe(context.Background(), launches, Options{Mode: All})
	for mode, b := range behaviours { // the schema has to know every kind
		r := Result{Server: mode, Status: b.status}
		for _, kind := range strings.Fields(b.kinds) {
			r.Problems = append(r.Problems, Problem{Kind: Kind(kind), Severity: Error, Message: "x"})
		}
		results = append(results, r)
	}
	data, err := EncodeReport(results)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	checkSchema(t, "probe.schema.json", path)
}
