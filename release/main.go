// Command release builds what users install: for each platform an archive with both programs, manual pages and
// completions; a bill of materials beside it; the folders of the npm packages; a Homebrew formula; checksums. The same
// commit gives the same bytes, on any machine with the same version of Go.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skill-ls/skill-ls/internal/version"
)

// Platform is a system and a processor, as Go names them.
type Platform struct{ OS, Arch string }

func (p Platform) String() string { return p.OS + "/" + p.Arch }

// platforms are those that releases are made for.
var platforms = []Platform{
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{"windows", "amd64"},
	{"windows", "arm64"},
}

// programs are all that an archive holds.
var programs = []string{"skilllint", "skill-ls"}

// Release is one run.
type Release struct {
	Root     string // of the module
	Out      string // folder, made anew
	Version  string // without a "v"
	Commit   string
	Time     time.Time // of the commit
	Platform []Platform
	Log      io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, log io.Writer) error {
	r := &Release{Log: log}
	f := flag.NewFlagSet("release", flag.ContinueOnError)
	f.SetOutput(log)
	f.StringVar(&r.Root, "root", ".", "the module's `FOLDER`")
	f.StringVar(&r.Out, "o", "dist", "write into this `FOLDER`, which is made anew")
	f.StringVar(&r.Version, "version", "", "release this `VERSION`; without it that of the tag, or a development version")
	only := f.String("platforms", "", "build for these alone: `OS/ARCH,…`")
	if err := f.Parse(args); err != nil {
		return err
	}
	if err := r.platforms(*only); err != nil {
		return err
	}
	if err := r.describe(ctx); err != nil {
		return err
	}
	return r.build(ctx)
}

func (r *Release) platforms(only string) error {
	if only == "" {
		r.Platform = platforms
		return nil
	}
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(platforms, func(p Platform) bool { return p.String() == name })
		if i < 0 {
			return fmt.Errorf("there are no releases for %s, only for %v", name, platforms)
		}
		r.Platform = append(r.Platform, platforms[i])
	}
	return nil
}

// describe asks Git what is released.
func (r *Release) describe(ctx context.Context) error {
	var err error
	if r.Root, err = filepath.Abs(r.Root); err != nil {
		return err
	}
	shown, err := r.git(ctx, "log", "-1", "--format=%H %cI")
	if err != nil {
		return err
	}
	commit, when, _ := strings.Cut(shown, " ")
	if r.Time, err = time.Parse(time.RFC3339, when); err != nil {
		return fmt.Errorf("read the time of the commit: %w", err)
	}
	r.Time, r.Commit = r.Time.UTC(), commit
	if changed, err := r.git(ctx, "status", "--porcelain"); err != nil {
		return err
	} else if changed != "" {
		fmt.Fprintln(r.Log, "the working tree has changes: this is no release")
		r.Commit = "changed-" + commit
	}
	if r.Version == "" {
		r.Version = version.Development
		if tag, err := r.git(ctx, "describe", "--tags", "--exact-match", "--match", "v[0-9]*"); err == nil {
			r.Version = strings.TrimPrefix(tag, "v")
		}
	}
	return nil
}

func (r *Release) git(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = r.Root
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// build makes everything.
func (r *Release) build(ctx context.Context) error {
	if err := os.RemoveAll(r.Out); err != nil {
		return fmt.Errorf("empty the folder: %w", err)
	}
	if err := os.MkdirAll(r.Out, 0o755); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	for _, p := range r.Platform {
		if err := r.buildFor(ctx, p); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	return errors.Join(r.npmMain(), r.checksums(), r.formula())
}

func (r *Release) buildFor(ctx context.Context, p Platform) error {
	bin, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	var files []string
	for _, program := range programs {
		file := filepath.Join(bin, p.executable(program))
		if err := r.compile(ctx, p, program, file); err != nil {
			return err
		}
		files = append(files, file)
	}
	archive := filepath.Join(r.Out, r.archive(p))
	if err := r.pack(p, archive, files); err != nil {
		return fmt.Errorf("pack %s: %w", filepath.Base(archive), err)
	}
	if err := r.materials(p, files); err != nil {
		return fmt.Errorf("write the bill of materials: %w", err)
	}
	if err := r.npmPlatform(p, files); err != nil {
		return fmt.Errorf("write the npm package: %w", err)
	}
	return r.report(archive, files)
}

// compile builds one program, static and without a trace of the machine.
func (r *Release) compile(ctx context.Context, p Platform, program, file string) error {
	const at = "github.com/skill-ls/skill-ls/internal/version."
	set := "-X " + at + "number=" + r.Version + " -X " + at + "commit=" + r.Commit + " -X " + at + "date=" + r.Time.Format(time.DateOnly)
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid= "+set, "-o", file, "./cmd/"+program)
	cmd.Dir = r.Root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.OS, "GOARCH="+p.Arch, "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", program, err, out)
	}
	return nil
}

func (p Platform) executable(program string) string {
	if p.OS == "windows" {
		return program + ".exe"
	}
	return program
}

// archive is the name of a platform's archive.
func (r *Release) archive(p Platform) string {
	ending := ".tar.gz"
	if p.OS == "windows" {
		ending = ".zip"
	}
	return r.stem(p) + ending
}

func (r *Release) stem(p Platform) string { return "skill-ls_" + r.Version + "_" + p.OS + "_" + p.Arch }

// report tells the sizes.
func (r *Release) report(archive string, files []string) error {
	info, err := os.Stat(archive)
	if err != nil {
		return err
	}
	line := fmt.Sprintf("%-46s %6.1f MB", filepath.Base(archive), megabytes(info.Size()))
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		line += fmt.Sprintf("  %s %.1f MB", filepath.Base(file), megabytes(info.Size()))
	}
	_, err = fmt.Fprintln(r.Log, line)
	return err
}

func megabytes(n int64) float64 { return float64(n) / 1e6 }
