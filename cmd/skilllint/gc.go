package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// Most of a run's memory is text that stays, so that collecting often finds little: the heap may grow to gcFloor before it
// is collected at all, and beyond that by gcPercent. Ten thousand skills of 5 KB stay below 250 MB so; with the runtime's
// own pace they take 315 MB.
const (
	gcFloor   = 160 << 20
	gcPercent = 42
)

// streaming is for commands whose memory is that of what goes through them: the runtime keeps its own pace, so that a
// recording of a gigabyte takes no more than one of a megabyte.
var streaming atomic.Bool

func stream() {
	streaming.Store(true)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(100)
	}
}

// paceGC sets when the garbage collector runs, unless GOGC says so.
func paceGC() {
	if os.Getenv("GOGC") != "" {
		return
	}
	const smallest = 4 << 20 // the heap at which 100 percent are counted from at first: https://go.dev/doc/gc-guide
	debug.SetGCPercent(gcFloor / smallest * 100)
	afterGC(func() {
		if streaming.Load() {
			return
		}
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetGCPercent(gcPace(live[0].Value.Uint64()))
	})
}

// gcPace returns by how many percent a heap may grow of which so many bytes are in use.
func gcPace(live uint64) int {
	if live == 0 || live >= gcFloor {
		return gcPercent
	}
	return max(gcPercent, int((gcFloor-live)*100/live))
}

// afterGC calls do after every collection: an object that nobody holds is finalized by each.
func afterGC(do func()) {
	type sentinel struct{ _ *byte } // with a pointer, as small objects without one share their memory
	runtime.SetFinalizer(&sentinel{}, func(*sentinel) {
		do()
		afterGC(do)
	})
}
