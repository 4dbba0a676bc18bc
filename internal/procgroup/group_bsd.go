//go:build unix && !linux

package procgroup

// onlyZombies is false where the first process collects orphans, as on macOS.
func onlyZombies(int) bool { return false }
