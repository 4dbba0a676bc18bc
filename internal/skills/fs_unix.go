//go:build unix

package skills

import (
	"errors"
	"io/fs"
	"syscall"
)

// readHead reads at most n bytes of a file. os.Open would also ask whether the file can be waited for, which takes more
// calls of the system than reading it.
func readHead(name string, n int) ([]byte, error) {
	fd, err := uninterrupted(func() (int, error) { return syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0) })
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	defer syscall.Close(fd)
	var info syscall.Stat_t
	if err := syscall.Fstat(fd, &info); err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	size := max(int(info.Size), 0)
	out := make([]byte, 0, min(size, n)+1) // one more, so that the end of a file that tells no size is seen
	for len(out) < n {
		if len(out) == cap(out) { // it grows, or is a device that tells no size
			out = append(out, 0)[:len(out)]
		}
		room := out[len(out):min(cap(out), n)]
		got, err := uninterrupted(func() (int, error) { return syscall.Read(fd, room) })
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: name, Err: err}
		}
		out = out[:len(out)+got]
		if got == 0 || len(out) == size {
			break
		}
	}
	return out, nil
}

// uninterrupted makes a call of the system again for as long as a signal interrupts it.
func uninterrupted(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
