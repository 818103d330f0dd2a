//go:build unix && (amd64 || arm64 || ppc64le || s390x || riscv64 || loong64)

package storage

// initialMmapSize is address space, not memory: with it the map never has to
// grow while a read transaction is open, for which bbolt would wait.
const initialMmapSize = 64 << 30
