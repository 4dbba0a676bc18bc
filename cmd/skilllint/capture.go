package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skill-ls/skill-ls/internal/agentsim/capture"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/tokens"
)

// captureCommand is one call of the capture command.
type captureCommand struct {
	*app
	program string
	prompt  string
	script  string
	tools   []string
	listen  string
	timeout time.Duration
	list    bool
}

func newCapture(a *app) *cobra.Command {
	c := &captureCommand{app: a}
	cmd := &cobra.Command{
		Use: "capture [flags] [PATH]", Short: "Shows what an installed client really sends to its model",
		Args: arguments(0, 1, "capture takes one folder: that the client is started in"), RunE: c.run,
		Long: "capture runs an installed client against a model on this machine, and shows the prompt, the skills and the tools that it\n" +
			"sends, beside what simulate predicts; --client names the client. It runs on a copy of the project with an empty home\n" +
			"folder and without credentials, reaches nothing but the model, and is ended with everything it started. It is trusted\n" +
			"with the folder: hooks and servers that the project configures for it run as they always do.\n" +
			"The exit status is 1 when the prediction does not hold.",
	}
	c.flags(cmd.Flags())
	return cmd
}

func (c *captureCommand) flags(f *pflag.FlagSet) {
	f.StringVar(&c.program, "program", "", "the client's program `FILE`; without it the one in PATH")
	f.StringVar(&c.prompt, "prompt", "", "what the user says: `TEXT`")
	f.StringVar(&c.script, "script", "", "what the model answers: a YAML `FILE` with the steps user, call and say of scripts for simulate")
	f.StringArrayVar(&c.tools, "tools", nil, "offer the client the tools of a saved tools/list result: `SERVER=FILE`")
	f.BoolVar(&c.list, "list", false, "name the clients that can be captured and say which of them are installed; none is started")
	f.StringVar(&c.listen, "listen", "127.0.0.1:0", "where the model listens: an `ADDRESS` of this machine alone; port 0 is any that is free")
	f.DurationVar(&c.timeout, "timeout", 2*time.Minute, "how long the client may take: a `DURATION` such as 30s")
}

func (c *captureCommand) run(cmd *cobra.Command, args []string) error {
	if err := c.formatIn("text", "json", "markdown"); err != nil {
		return err
	}
	if c.list {
		return buffered(c.out, func(w io.Writer) error { return report.Installations(w, capture.Installations(), c.format) })
	}
	o, err := c.options(cmd, args)
	if err != nil {
		return err
	}
	done := c.progress("running " + o.Profile.Label)
	got, err := capture.Run(cmd.Context(), *o)
	done()
	if err != nil {
		return err
	}
	look := report.SimulateOptions{Base: c.base, Color: c.colored(c.out)}
	if err := buffered(c.out, func(w io.Writer) error { return report.Capture(w, got, c.format, look) }); err != nil {
		return err
	}
	if !got.Agrees() {
		return errFindings
	}
	return nil
}

func (c *captureCommand) options(cmd *cobra.Command, args []string) (*capture.Options, error) {
	paths, err := c.paths(cmd, args)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(paths[0]); err != nil || !info.IsDir() {
		return nil, errors.New("capture starts the client in a folder; name that, not a file")
	}
	p, err := c.client(paths[0])
	if err != nil {
		return nil, err
	}
	if c.timeout <= 0 {
		return nil, fmt.Errorf("--timeout %s: a client needs some time", c.timeout)
	}
	o := &capture.Options{
		Profile: p, Dir: paths[0], Prompt: c.prompt, Listen: c.listen, Timeout: c.timeout, Count: tokens.Estimate,
		Exactly: len(c.clients) == 1 && strings.Contains(c.clients[0], "@"),
	}
	if c.program != "" {
		o.Program = c.abs(c.program)
	}
	saved, err := c.saved(skills.Disk{}, c.tools)
	for _, one := range saved {
		o.Servers = append(o.Servers, one.Server)
	}
	return o, errors.Join(err, c.steps(o))
}

// steps reads the script.
func (c *captureCommand) steps(o *capture.Options) error {
	if c.script == "" {
		return nil
	}
	data, err := os.ReadFile(c.abs(c.script))
	if err != nil {
		return fmt.Errorf("--script: %w", err)
	}
	user, steps, err := capture.ParseScript(data)
	if err != nil {
		return fmt.Errorf("--script %s: %w", c.script, err)
	}
	if o.Prompt == "" {
		o.Prompt = user
	}
	o.Script = steps
	return nil
}
