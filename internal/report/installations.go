//go:build !js

package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/skill-ls/skill-ls/internal/agentsim/capture"
)

// schemas/capture-list.schema.json describes this form.
type jsonInstallations struct {
	Version int                `json:"version"`
	Clients []jsonInstallation `json:"clients"`
}

type jsonInstallation struct {
	Client        string `json:"client"`
	ClientVersion string `json:"client_version"`
	Installed     bool   `json:"installed"`
	Program       string `json:"program,omitempty"`
	Missing       string `json:"missing,omitempty"`
}

// Installations prints which clients can be captured, and which of them are installed, as text, json or markdown. Its
// errors are those of w.
func Installations(w io.Writer, list []capture.Installation, format string) error {
	switch format {
	case "json":
		return writeJSON(w, installationsToJSON(list))
	case "markdown":
		var b strings.Builder
		b.WriteString("| client | program |\n| --- | --- |\n")
		for _, i := range list {
			fmt.Fprintf(&b, "| %s | %s |\n", cell(i.Profile.Name), cell(placeOf(i)))
		}
		_, err := io.WriteString(w, b.String())
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, i := range list {
		fmt.Fprintf(t, "%s\t%s\n", i.Profile.Name, clean(placeOf(i)))
	}
	return t.Flush()
}

// placeOf says where a client is, or why it is not there.
func placeOf(i capture.Installation) string {
	if i.Missing != nil {
		return i.Missing.Error()
	}
	return i.Program
}

func installationsToJSON(list []capture.Installation) jsonInstallations {
	out := jsonInstallations{Version: 1, Clients: []jsonInstallation{}}
	for _, i := range list {
		one := jsonInstallation{Client: i.Profile.Name, ClientVersion: i.Profile.Version, Installed: i.Missing == nil, Program: i.Program}
		if i.Missing != nil {
			one.Missing = i.Missing.Error()
		}
		out.Clients = append(out.Clients, one)
	}
	return out
}
