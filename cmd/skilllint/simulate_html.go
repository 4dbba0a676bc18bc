package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/report"
)

// mostPageText is how many bytes of texts of skills a page holds, so that a browser still opens it. All listings are
// in it besides.
const mostPageText = 8 << 20

// page writes what several clients put before their models to a page for a browser.
func (s *simulateCommand) page(cmd *cobra.Command, args []string) error {
	paths, err := s.paths(cmd, args)
	if err != nil {
		return err
	}
	clients, err := s.pageClients(paths[0])
	if err != nil {
		return err
	}
	defer s.progress("playing the clients")()
	o := report.PageOptions{Base: s.base, Texts: map[string]string{}}
	var pages []report.ClientPage
	room := mostPageText
	for _, p := range clients {
		in, err := s.inputOf(cmd, p, paths)
		if err != nil {
			return err
		}
		page, err := pageOf(cmd, in, &room)
		if err != nil {
			return err
		}
		pages = append(pages, page)
		if a := page.Activation; a != nil && o.Skill == "" {
			o.Skill = a.File
		}
	}
	if s.activate != "" && o.Skill == "" {
		return fmt.Errorf("--activate %s: no client finds a skill of that name", s.activate)
	}
	if err := addTexts(o.Texts, pages, &room); err != nil {
		return err
	}
	return s.writePage(pages, o)
}

// pageClients returns the clients of a page: those of --client, else the one that simulate plays and the others that
// skills are judged by.
func (s *simulateCommand) pageClients(path string) ([]*profile.Profile, error) {
	if len(s.clients) > 0 {
		var out []*profile.Profile
		for _, name := range s.clients {
			p, err := profile.Find(name)
			if err != nil {
				return nil, fmt.Errorf("--client: %w", err)
			}
			out = append(out, p)
		}
		return out, nil
	}
	first, err := s.client(path)
	if err != nil {
		return nil, err
	}
	out := []*profile.Profile{first}
	for _, p := range profile.FirstTier() {
		if p != first {
			out = append(out, p)
		}
	}
	return out, nil
}

// pageOf plays one client: its listing, the activation that is asked for, and those of the other skills while there is
// room.
func pageOf(cmd *cobra.Command, in *agentsim.Input, room *int) (report.ClientPage, error) {
	out := report.ClientPage{}
	var missing agentsim.NoSkillError
	var err error
	out.Simulation, err = agentsim.Simulate(cmd.Context(), in)
	if errors.As(err, &missing) { // by this client; another may find it
		in.Skill = ""
		out.Simulation, err = agentsim.Simulate(cmd.Context(), in)
	}
	if err != nil {
		return out, err
	}
	asked := ""
	if a := out.Activation; a != nil {
		asked = a.File
		out.Activations = append(out.Activations, a)
	}
	all, err := agentsim.Activations(cmd.Context(), in)
	for _, a := range all {
		for _, part := range a.Parts {
			*room -= len(part.Text)
		}
		if a.File != asked && *room >= 0 {
			out.Activations = append(out.Activations, a)
		}
	}
	return out, err
}

// addTexts reads the skills, so that the page can mark what a client puts into their texts.
func addTexts(texts map[string]string, pages []report.ClientPage, room *int) error {
	for _, p := range pages {
		for _, a := range p.Activations {
			if _, known := texts[a.File]; known || *room < 0 || a.File == "" {
				continue
			}
			data, err := os.ReadFile(filepath.FromSlash(a.File))
			if err != nil {
				return fmt.Errorf("read the skill for the page: %w", err)
			}
			*room -= len(data)
			texts[a.File] = string(data)
		}
	}
	return nil
}

func (s *simulateCommand) writePage(pages []report.ClientPage, o report.PageOptions) error {
	f, err := os.Create(s.abs(s.html))
	if err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	err = buffered(f, func(w io.Writer) error { return report.SimulatePage(w, pages, o) })
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	if !s.quiet {
		fmt.Fprintf(s.out, "wrote %s\n", s.html)
	}
	return nil
}
