package rerun

import (
	"io/fs"
	"strconv"
	"time"

	"github.com/skill-ls/skill-ls/internal/skills"
)

// stamp is what the system says of a file. Whoever writes the file, or puts another in its place, changes it.
type stamp struct {
	device, inode uint64
	changed       int64 // the time of the last change of content, owner or mode, in nanoseconds since 1970
	size          int64
	mode          uint32
	user, group   uint32
}

// settled is how old a change must be before another one is sure to get another time: clocks of file systems tick slowly,
// in a few milliseconds.
const settled = 2 * time.Second

// sure reports whether the stamp tells of every change from now on. A time in whole seconds is from a file system whose
// clock ticks in seconds, and may have no time of change at all, but that of writing, which programs set.
func (s stamp) sure(now time.Time) bool {
	return s.changed%int64(time.Second) != 0 && now.UnixNano()-s.changed > int64(settled)
}

// stampOf returns the stamp of a regular file, zero when it would not tell of every change.
func (m *Machine) stampOf(name string) stamp {
	now := m.now() // before the file is looked at
	info, err := m.FS.Stat(name)
	return sureStamp(info, err, now)
}

func (m *Machine) now() time.Time {
	if m.clock != nil {
		return m.clock()
	}
	return time.Now()
}

func sureStamp(info fs.FileInfo, err error, now time.Time) stamp {
	if err != nil || !info.Mode().IsRegular() {
		return stamp{}
	}
	if s, ok := systemStamp(info); ok && s.sure(now) {
		return s
	}
	return stamp{}
}

// of returns the stamp for data that were read after it was taken, zero when it says nothing about them: files such as
// those of /proc have another size than what is read from them.
func (s stamp) of(data []byte, err error, size int64) stamp {
	if err != nil || int64(len(data)) != size {
		return stamp{}
	}
	return s
}

// Stamp returns a text that is another one when a regular file has been written or replaced; false when the system does
// not tell.
func Stamp(fsys skills.FS, name string) (string, bool) {
	s := (&Machine{FS: fsys}).stampOf(name)
	if s == (stamp{}) {
		return "", false
	}
	out := ""
	for _, n := range s.fields() {
		out += strconv.FormatUint(n, 16) + " "
	}
	return out, true
}

const stampFields = 7

func (s *stamp) fields() [stampFields]uint64 {
	return [...]uint64{s.device, s.inode, uint64(s.changed), uint64(s.size), uint64(s.mode), uint64(s.user), uint64(s.group)}
}

func stampFrom(f [stampFields]uint64) stamp {
	return stamp{f[0], f[1], int64(f[2]), int64(f[3]), uint32(f[4]), uint32(f[5]), uint32(f[6])}
}
