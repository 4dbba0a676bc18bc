package rerun

import (
	"io/fs"
	"syscall"
)

// systemStamp returns what the system says of a file; false when it says nothing.
func systemStamp(info fs.FileInfo) (stamp, bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return stamp{}, false
	}
	return stamp{uint64(s.Dev), s.Ino, s.Ctimespec.Nano(), s.Size, uint32(s.Mode), s.Uid, s.Gid}, true
}
