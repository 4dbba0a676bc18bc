//go:build !linux

package main

import "os/exec"

func isolate(*exec.Cmd) {}
