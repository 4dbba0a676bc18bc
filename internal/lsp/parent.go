package lsp

import (
	"os"
	"time"
)

// parentInterval is how often the server looks whether the client still runs.
const parentInterval = 5 * time.Second

// watchParent ends the session when the client's process is gone: one that crashed cannot say so, and the
// connection need not end with it.
func (s *Server) watchParent(pid int) {
	if pid <= 0 || !alive(pid) {
		return // of another container: nothing can be told about it
	}
	go func() {
		ticker := time.NewTicker(parentInterval)
		defer ticker.Stop()
		for {
			select {
			case <-s.ctx.Done():
				return
			case <-ticker.C:
			}
			if !alive(pid) {
				s.log.Error("the client is gone", "process", pid)
				s.once.Do(func() { close(s.exit) })
				return
			}
		}
	}()
}

// alive reports whether a process runs. Where that cannot be known it counts as running.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false // only Windows tells that here
	}
	defer func() { _ = p.Release() }()
	return probe(p)
}
