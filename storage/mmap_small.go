//go:build !(unix && (amd64 || arm64 || ppc64le || s390x || riscv64 || loong64))

package storage

// initialMmapSize is left to bbolt where address space is scarce, or where the
// file itself would be made that long.
const initialMmapSize = 0
