//go:build unix && !linux

package mcpprobe

// onlyZombies is false where the first process collects orphans, as on macOS.
func onlyZombies(int) bool { return false }
