// Package lookpath finds the program that a command stands for, as a process with another PATH or in another folder
// would find it. It looks at files and starts nothing.
package lookpath

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// IsPath reports whether a command names its file by a path, so that PATH has no say.
func IsPath(command string) bool {
	return strings.ContainsAny(command, `/`+string(filepath.Separator))
}

// Find returns the file that a command starts: one that is named by a path counts from dir, any other is looked for in
// the folders of path, a list as in the variable PATH. Relative folders in it do not count, nor does the current one,
// which Windows would search first: a checked-out folder must not be able to slip a program in. The error says why
// there is none, or why it cannot be run.
func Find(command, dir, path string) (string, error) {
	if IsPath(command) {
		if !filepath.IsAbs(command) {
			command = filepath.Join(dir, command)
		}
		abs, err := filepath.Abs(command)
		if err != nil {
			return "", fmt.Errorf("find %q: %w", command, err)
		}
		return executable(abs)
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if file, err := executable(filepath.Join(dir, command)); err == nil {
			return file, nil
		}
	}
	return "", fmt.Errorf("no program %q in PATH", command)
}

// executable returns the file of that name that can be run, on Windows with one of the usual endings.
func executable(file string) (string, error) {
	if runtime.GOOS != "windows" {
		return file, runnable(file)
	}
	endings := []string{""}
	if filepath.Ext(file) == "" {
		endings = strings.Split(strings.ToLower(os.Getenv("PATHEXT")), ";")
	}
	for _, ending := range endings {
		if runnable(file+ending) == nil {
			return file + ending, nil
		}
	}
	return "", runnable(file)
}

func runnable(file string) error {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return fmt.Errorf("find the program: %w", err)
	case info.IsDir():
		return fmt.Errorf("%s is a folder", file)
	case runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
		return fmt.Errorf("%s is not marked as executable", file)
	}
	return nil
}
