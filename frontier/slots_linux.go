package frontier

import "syscall"

// preferLargePages asks for memory in pages of two megabytes. A kernel that has none
// to give says so, and nothing is lost.
func preferLargePages(b []byte) { _ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) }
