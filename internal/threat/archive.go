package threat

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

const (
	// mostMembers is how many members of an archive are looked at.
	mostMembers = 10_000
	// mostUnpacked is how much of a compressed archive is unpacked to read its list of members. Nothing is ever written.
	mostUnpacked = 64 << 20
	// bombRatio and bombSize are from when on an archive counts as made to fill a disk.
	bombRatio = 200
	bombSize  = 256 << 20
)

// Archive returns what is wrong with the members of an archive, by its name and content: names that lead out of the folder it
// is unpacked in, links, passwords, and sizes that fill a disk. Archives inside are not opened. What is no archive, or a broken
// one, has nothing wrong.
func Archive(name string, data []byte) []string {
	low := strings.ToLower(name)
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")), bytes.HasPrefix(data, []byte("PK\x05\x06")):
		return zipFaults(data)
	case bytes.HasPrefix(data, []byte("\x1f\x8b")) && (strings.HasSuffix(low, ".tgz") || strings.HasSuffix(low, ".tar.gz")):
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil
		}
		return tarFaults(r)
	case strings.HasSuffix(low, ".tar"):
		return tarFaults(bytes.NewReader(data))
	}
	return nil
}

func zipFaults(data []byte) []string {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil
	}
	var out faults
	unpacked := uint64(0)
	for i, f := range r.File {
		if i == mostMembers {
			break
		}
		unpacked += f.UncompressedSize64
		out.member(f.Name)
		if f.Mode()&fs.ModeSymlink != 0 {
			out.add("links", fmt.Sprintf("%q is a symbolic link", f.Name))
		}
		if f.Flags&1 != 0 {
			out.add("password", fmt.Sprintf("%q is locked with a password, so that no scanner can look into it", f.Name))
		}
	}
	if unpacked > bombSize && unpacked/uint64(len(data)) > bombRatio {
		out.add("bomb", fmt.Sprintf("%d KB unpack to %d MB", len(data)>>10, unpacked>>20))
	}
	return out.list
}

func tarFaults(r io.Reader) []string {
	var out faults
	limited := &io.LimitedReader{R: r, N: mostUnpacked}
	members := tar.NewReader(limited)
	for range mostMembers {
		h, err := members.Next()
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			break
		}
		out.member(h.Name)
		if h.Typeflag == tar.TypeSymlink || h.Typeflag == tar.TypeLink {
			if leaves(h.Linkname) || leaves(path.Join(path.Dir(h.Name), h.Linkname)) {
				out.add("links", fmt.Sprintf("%q is a link to %q", h.Name, h.Linkname))
			}
		}
	}
	if limited.N == 0 {
		out.add("bomb", fmt.Sprintf("it unpacks to more than %d MB", mostUnpacked>>20))
	}
	return out.list
}

// faults are what is wrong with an archive, one of each kind.
type faults struct {
	list []string
	seen map[string]bool
}

func (f *faults) add(kind, what string) {
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	if !f.seen[kind] {
		f.seen[kind] = true
		f.list = append(f.list, what)
	}
}

func (f *faults) member(name string) {
	if leaves(name) {
		f.add("path", fmt.Sprintf("the member %q leaves the folder that the archive is unpacked in", name))
	}
}

// leaves reports whether a name in an archive leads out of the folder that the archive is unpacked in.
func leaves(name string) bool {
	name = strings.ReplaceAll(name, `\`, "/")
	drive := len(name) > 1 && name[1] == ':'
	return strings.HasPrefix(name, "/") || drive || strings.HasPrefix(path.Clean(name)+"/", "../")
}

// Program names the kind of program that the first bytes of a file are of, "" when they are none.
func Program(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\x7fELF")):
		return "a program for Linux"
	case bytes.HasPrefix(head, []byte("MZ")) && len(head) > 64 && bytes.Contains(head, []byte("PE\x00\x00")):
		return "a program for Windows"
	case bytes.HasPrefix(head, []byte("\xcf\xfa\xed\xfe")), bytes.HasPrefix(head, []byte("\xce\xfa\xed\xfe")), bytes.HasPrefix(head, []byte("\xca\xfe\xba\xbe\x00\x00\x00")):
		return "a program for macOS"
	case bytes.HasPrefix(head, []byte("#!")) && bytes.IndexByte(head, '/') >= 2 && bytes.IndexByte(head, '/') <= 3:
		return "a script"
	}
	return ""
}
