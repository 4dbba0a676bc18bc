package mcpprobe

import "testing"

// nothingLeft has nothing to look at: a job ends with its handle.
func nothingLeft(*testing.T, string, *groups) {}
