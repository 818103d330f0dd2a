//go:build !linux && !darwin

package main

import "errors"

// freeSpace cannot tell how much can be written on the disk of dir.
func freeSpace(dir string) (uint64, error) { return 0, errors.ErrUnsupported }
