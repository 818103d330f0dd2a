//go:build linux

package storage

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// smallDiskVariable is set in the process that has a small disk of its own.
const smallDiskVariable = "HASHCRAWL_STORAGE_TEST_SMALL_DISK"

// onSmallDisk calls test with a folder on a file system of so many bytes. That is
// mounted where nobody else sees it, by this test in another process. The test is
// skipped where the machine does not let it.
func onSmallDisk(t *testing.T, size int, test func(dir string)) {
	t.Helper()
	if dir := os.Getenv(smallDiskVariable); dir != "" {
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
			fmt.Printf("cannot mount: %v\n", err)
			t.SkipNow()
		}
		test(dir)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run", "^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), smallDiskVariable+"="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	if id := os.Getuid(); id != 0 {
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: id, Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOSPC) {
		t.Skipf("this machine gives no process a view of its own on the file systems: %v", err)
	}
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	if _, why, skipped := strings.Cut(string(out), "cannot mount: "); skipped {
		why, _, _ = strings.Cut(why, "\n")
		t.Skipf("this machine does not let the test mount a file system: %s", why)
	}
	if !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("the process with the disk says:\n%s", out)
	}
}

// TestSmallDiskFillsUp fills a disk, at several places of what the writer does, makes
// room, and goes on.
func TestSmallDiskFillsUp(t *testing.T) {
	onSmallDisk(t, 16<<20, func(dir string) {
		path, ballast := filepath.Join(dir, "crawl.db"), filepath.Join(dir, "ballast")
		n := uint32(0)
		for i, room := range []int{1 << 20, 3 << 20, 8 << 20} {
			if err := os.WriteFile(ballast, make([]byte, 16<<20-room), 0o600); err != nil {
				t.Fatal(err)
			}
			db, err := Open(path, Options{Create: true})
			if err != nil {
				t.Fatal(err)
			}
			synced := n
			for ; ; n++ {
				db.Append(numbered(n))
				if n%500 == 0 {
					if err := db.Sync(); err != nil {
						if !errors.Is(err, syscall.ENOSPC) {
							t.Errorf("Sync on a full disk = %v", err)
						}
						break
					}
					synced = n + 1
				}
			}
			<-db.Failed()
			if err := db.Close(); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("Close on a full disk = %v", err)
			}
			if synced == 0 {
				t.Error("nothing was durable before the disk was full")
			}
			if err := os.Remove(ballast); err != nil {
				t.Fatal(err)
			}
			n = reopenNumbered(t, path, synced)
			if problems, _, err := verified(t, path); err != nil || strings.Contains(strings.Join(problems, "\n"), "bbolt") {
				t.Errorf("disk %d: Verify = %v, %v", i, problems, err)
			}
		}
	})
}
