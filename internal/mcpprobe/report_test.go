package mcpprobe

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func TestReportFitsItsSchema(t *testing.T) {
	launches := []Launch{bad("shape-hdr"), bad("noise"), bad("crash"), bad("pretty"), {Name: "nothing"}}
	data, err := EncodeReport(Probe(context.Background(), launches, Options{Mode: All}))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	checkSchema(t, "probe.schema.json", path)
}
