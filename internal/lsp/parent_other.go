//go:build !unix

package lsp

import "os"

// probe has nothing to add: FindProcess has opened the process.
func probe(*os.Process) bool { return true }
