// Package procgroup starts a program so that it can be ended with everything it starts in turn, and keeps the last
// of what it says.
package procgroup
