package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// beside are what archives hold besides the programs: files, and folders with all that is in them.
var beside = []string{"LICENSE", "NOTICE", "README.md", "CHANGELOG.md", "share", "skills"}

// entry is one file of an archive.
type entry struct {
	name string // with slashes
	data []byte
	mode os.FileMode
}

// pack writes a platform's archive: entries sorted by name, with the time of the commit and nobody's name.
func (r *Release) pack(p Platform, archive string, files []string) error {
	entries, err := r.entries(files)
	if err != nil {
		return err
	}
	out, err := os.Create(archive)
	if err != nil {
		return err
	}
	write := r.writeTar
	if p.OS == "windows" {
		write = r.writeZip
	}
	return errors.Join(write(out, r.stem(p)+"/", entries), out.Close())
}

func (r *Release) entries(files []string) ([]entry, error) {
	var out []entry
	add := func(file, name string, mode os.FileMode) error {
		data, err := os.ReadFile(file)
		out = append(out, entry{name, data, mode})
		return err
	}
	for _, file := range files {
		if err := add(file, filepath.Base(file), 0o755); err != nil {
			return nil, err
		}
	}
	for _, name := range beside {
		err := filepath.WalkDir(filepath.Join(r.Root, name), func(file string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			rel, err := filepath.Rel(r.Root, file)
			if err != nil {
				return err
			}
			return add(file, filepath.ToSlash(rel), 0o644)
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

func (r *Release) writeTar(w io.Writer, folder string, entries []entry) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(packed)
	for _, e := range entries {
		head := &tar.Header{Name: folder + e.name, Mode: int64(e.mode), Size: int64(len(e.data)), ModTime: r.Time, Format: tar.FormatPAX}
		if err := t.WriteHeader(head); err != nil {
			return err
		}
		if _, err := t.Write(e.data); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), packed.Close())
}

func (r *Release) writeZip(w io.Writer, folder string, entries []entry) error {
	z := zip.NewWriter(w)
	for _, e := range entries {
		head := &zip.FileHeader{Name: folder + e.name, Method: zip.Deflate, Modified: r.Time}
		head.SetMode(e.mode)
		file, err := z.CreateHeader(head)
		if err != nil {
			return err
		}
		if _, err := file.Write(e.data); err != nil {
			return err
		}
	}
	return z.Close()
}

// checksums writes the SHA-256 of each file of the release, in the form that sha256sum checks.
func (r *Release) checksums() error {
	entries, err := os.ReadDir(r.Out)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		sum, err := sha256Of(filepath.Join(r.Out, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s  %s\n", sum, e.Name())
	}
	return os.WriteFile(filepath.Join(r.Out, "checksums.txt"), []byte(b.String()), 0o644)
}

func sha256Of(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("hash %s: %w", file, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
