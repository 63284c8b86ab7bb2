package atomicfile_test

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
)

// write writes text to path and then seeks back to change its first letter, like a file
// with a checksum in its header.
func write(path, text string) error {
	return atomicfile.Write(path, func(f *os.File) error {
		if _, err := f.WriteString("?" + text[1:]); err != nil {
			return err
		}
		_, err := f.WriteAt([]byte(text[:1]), 0)
		return err
	})
}

// TestWriteKeepsLinks checks that links of all kinds stay links, also those to a file that does
// not exist yet, and that their target is written.
func TestWriteKeepsLinks(t *testing.T) {
	dir := t.TempDir()
	elsewhere := filepath.Join(dir, "elsewhere")
	if err := os.Mkdir(elsewhere, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(elsewhere, "there"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"absolute": filepath.Join(elsewhere, "there"), "relative": "elsewhere/there", "twice": "relative", "dangling": "elsewhere/not-yet",
	} {
		path := filepath.Join(dir, link)
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if got, err := os.Readlink(path); err != nil || got != to {
				t.Errorf("%s leads to %q now (%v), not to %q", link, got, err, to)
			}
		}()
	}
	for _, link := range []string{"absolute", "relative", "twice", "dangling"} {
		path := filepath.Join(dir, link)
		if err := atomicfile.Check(path); err != nil {
			t.Errorf("%s: %v", link, err)
		}
		if err := write(path, "new by "+link); err != nil {
			t.Errorf("%s: %v", link, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != "new by "+link {
			t.Errorf("%s: read %q (%v)", link, got, err)
		}
	}
	if info, err := os.Stat(filepath.Join(elsewhere, "there")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's permissions are %v (%v), want those it had", info, err)
	}
	if entries, _ := os.ReadDir(elsewhere); len(entries) != 2 {
		t.Errorf("files beside the two that were written: %v", entries)
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Check(loop); err == nil || !strings.Contains(err.Error(), "too many levels of symbolic links") {
		t.Errorf("a link to itself: %v", err)
	}
}

// TestWriteKeepsDevices checks that content is written to a device or a pipe without replacing it.
func TestWriteKeepsDevices(t *testing.T) {
	dir := t.TempDir()
	null := filepath.Join(dir, "null")
	if err := syscall.Mknod(null, syscall.S_IFCHR|0o666, 1<<8|3); err != nil {
		null = os.DevNull // only root can make a device
	}
	linked := filepath.Join(dir, "linked")
	if err := os.Symlink(null, linked); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{null, linked} {
		if err := atomicfile.Check(path); err != nil {
			t.Error(err)
		}
		if err := write(path, "lost"); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if info, err := os.Lstat(null); err != nil || info.Mode()&fs.ModeCharDevice == 0 {
		t.Fatalf("the device is %v now (%v)", info, err)
	}

	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	go func() {
		f, err := os.Open(pipe)
		if err != nil {
			got <- err.Error()
			return
		}
		defer f.Close()
		text, _ := io.ReadAll(f)
		got <- string(text)
	}()
	if err := write(pipe, "through"); err != nil {
		t.Error(err)
	}
	if text := <-got; text != "through" {
		t.Errorf("the pipe got %q", text)
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("the pipe is %v now (%v)", info, err)
	}
}

// TestWriteToAnOpenFile checks that a path such as /dev/stdout is written at the present position
// of the open file.
func TestWriteToAnOpenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("before, "); err != nil {
		t.Fatal(err)
	}
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Close(fd) }()
	link := filepath.Join(t.TempDir(), "stdout")
	if err := os.Symlink(fmt.Sprintf("/proc/self/fd/%d", fd), link); err != nil {
		t.Fatal(err)
	}
	if err := write(link, "within, "); err != nil {
		t.Error(err)
	}
	if _, err := f.WriteString("after"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "before, within, after" {
		t.Errorf("the file holds %q (%v)", got, err)
	}
}

// TestCheck checks that Check refuses paths that cannot be written, and that Write also refuses
// them.
func TestCheck(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("folder", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("file", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("folder", "link"); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"folder":      "folder: is a folder; write the name of a file",
		"folder/":     "folder/: is a folder; write the name of a file",
		"link":        "folder: is a folder; write the name of a file",
		".":           ".: is a folder; write the name of a file",
		"none/file":   "none: cannot write into the folder: no such file or directory; choose another --out",
		"file/below":  "file/below: cannot be written: not a directory; choose another --out",
		"/proc/pacia": "/proc: cannot write into the folder: ",
	} {
		err := atomicfile.Check(path)
		if path == "/proc/pacia" && os.Getuid() == 0 {
			continue // root has the permission
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) || !badinput.Is(err) {
			t.Errorf("Check(%q) = %v, want %s", path, err, want)
		}
		if err := write(path, "text"); err == nil {
			t.Errorf("%s was written", path)
		}
	}
	for _, path := range []string{"file", "new", "folder/new"} {
		if err := atomicfile.Check(path); err != nil {
			t.Errorf("Check(%q) = %v", path, err)
		}
	}
	if entries, _ := os.ReadDir("."); len(entries) != 3 {
		t.Errorf("Check or a failed Write left something: %v", entries)
	}
}

// TestSame compares paths of existing and of missing files, with and without links.
func TestSame(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("folder", 0o777); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": "file", "other": "folder", "dangling": "folder/new"} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"file", "folder/file"} {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link("file", "hard"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"file", "file", true},
		{"file", "./folder/../file", true},
		{"file", "link", true},
		{"file", "hard", true},
		{"file", "folder/file", false},
		{"other/file", "folder/file", true},
		{"new", "./new", true},
		{"new", "newer", false},
		{"other/new", "folder/new", true},
		{"dangling", "other/new", true},
		{"new", "file", false},
		{"", "", false},
		{os.DevNull, os.DevNull, false},
	} {
		if got := atomicfile.Same(tt.a, tt.b); got != tt.want {
			t.Errorf("Same(%q, %q) = %v", tt.a, tt.b, got)
		}
	}
}
