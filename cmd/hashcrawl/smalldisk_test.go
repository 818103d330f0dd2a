//go:build linux

package main

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
const smallDiskVariable = "HASHCRAWL_TEST_SMALL_DISK"

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

// TestCrawlStopsOnAFullDisk lets a crawl fill its disk, makes room, and resumes it.
func TestCrawlStopsOnAFullDisk(t *testing.T) {
	const size, room = 64 << 20, 1200 << 10
	onSmallDisk(t, size, func(disk string) {
		w := &web{hosts: 40, pages: 130}
		w.serve(t)
		dir, ballast := filepath.Join(disk, "c.crawl"), filepath.Join(disk, "ballast")
		if err := os.WriteFile(ballast, make([]byte, size-room), 0o600); err != nil {
			t.Fatal(err)
		}
		said := failsWith(t, exitStopped, "no space left on device", "crawl", w.url(0, 0), "--dir", dir, "--scope", "any", "--delay", "0", "--disk-reserve", "0", "-q")
		if strings.Contains(said, "damaged") {
			t.Errorf("of a full disk it says %q", said)
		}
		verifyWhole(t, dir, "on the full disk")
		before := len(strings.Fields(output(t, "", "export", dir)))
		if before == 0 || before == len(w.all()) {
			t.Errorf("%d pages were indexed when the disk was full; want some", before)
		}
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
		output(t, "", "resume", dir, "--disk-reserve", "0", "-q")
		verifyWhole(t, dir, "in the end")
		wantIndexed(t, dir, w.all())
		if asked := len(w.requests()); asked > 2*len(w.all()) {
			t.Errorf("%d requests for %d pages", asked, len(w.all()))
		}
	})
}
