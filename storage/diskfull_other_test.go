//go:build !unix

package storage

import "errors"

func fillDisk(string) error { return errors.ErrUnsupported }
