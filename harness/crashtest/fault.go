package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// fault makes one call fail, or that call and all later ones, or kills the program at a call.
func (h *harm) fault(r *reference, random *rand.Rand) (int, error) {
	if r.calls == 0 {
		return 0, nil
	}
	dir, err := h.from(r)
	if err != nil {
		return 0, err
	}
	t := trial{Dir: dir, At: 1 + random.IntN(r.calls), Blow: fail + blow(random.IntN(4)),
		Err: []syscall.Errno{syscall.EIO, syscall.ENOSPC, syscall.EDQUOT}[random.IntN(3)]}
	o, err := h.traced(r.args, t)
	if err != nil {
		return 0, err
	}
	if o.Hit == "" {
		// By chance the command made fewer calls than the reference.
		return 0, h.settle(r, dir)
	}
	where := fmt.Sprintf("%s of call %d, %s", map[blow]string{fail: "failure (" + t.Err.Error() + ")", failAll: "failure (" + t.Err.Error() + "), and from then on,",
		half: "half (" + t.Err.Error() + ")", kill: "kill"}[t.Blow], t.At, o.Hit)
	h.logf("%s: %s: %d %s", r.name, where, o.Exit, o.brief())
	if err := h.afterwards(r, dir, o, t.Blow == kill); err != nil {
		return 1, fmt.Errorf("%s: %w", where, err)
	}
	return 1, nil
}

// afterwards checks the files that a harmed attempt left.
func (h *harm) afterwards(r *reference, dir string, o outcome, killed bool) error {
	if !killed {
		if err := o.sound(); err != nil {
			return err
		}
	}
	p, err := digest(dir, r.files)
	if err = errors.Join(err, r.oldOrNew(p)); err != nil {
		return err
	}
	if o.Exit == 0 && !killed {
		// The graph store, which makes the next start faster, may be missing.
		want := r.prints
		if r.name == "train" {
			want = want.within(p)
		}
		if err := p.same(want); err != nil {
			return fmt.Errorf("ended well: %w (%s)", err, o.brief())
		}
	}
	if err := h.settle(r, dir); err != nil {
		return fmt.Errorf("%w (at first: %d, %s)", err, o.Exit, o.brief())
	}
	return nil
}

// fullDisk runs the command on a disk with room for a part of its files.
func (h *harm) fullDisk(r *reference, random *rand.Rand) (int, error) {
	dir := filepath.Join(h.work, fmt.Sprintf("%s-%d", r.name, h.dirs.Add(1)))
	if err := os.Mkdir(dir, 0o777); err != nil {
		return 0, err
	}
	const page = 4096
	laid, most := 4*page, 80*page // sizes of the files of lay, and of the largest scenario
	if r.made != "" {
		laid = 60 * page
	}
	size := laid + random.IntN(most)
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		h.skip("full disks: " + err.Error())
		return 0, nil
	}
	defer func() { _ = unix.Unmount(dir, unix.MNT_DETACH) }()
	if err := lay(dir); err != nil {
		return 0, nil // not even the input has room
	}
	if r.made != "" {
		if err := os.CopyFS(filepath.Join(dir, "run"), os.DirFS(filepath.Join(r.made, "run"))); err != nil {
			return 0, nil // as above
		}
	}
	o := h.attemptOf(&r.scenario, dir)
	h.logf("%s: disk of %d bytes: %d %s", r.name, size, o.Exit, o.brief())
	if err := o.sound(); err != nil {
		return 1, fmt.Errorf("%d bytes: %w", size, err)
	}
	if p, err := digest(dir, r.files); err != nil || r.oldOrNew(p) != nil {
		return 1, fmt.Errorf("%d bytes: %w", size, errors.Join(err, r.oldOrNew(p)))
	}
	// Now there is room.
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT, "size=64m"); err != nil {
		return 1, err
	}
	if err := h.again(r, dir); err != nil {
		return 1, fmt.Errorf("%d bytes: given again: %w (at first: %d, %s)", size, err, o.Exit, o.brief())
	}
	p, err := digest(dir, r.files)
	if err == nil {
		err = p.same(r.prints)
	}
	if err != nil {
		return 1, fmt.Errorf("%d bytes: %w (at first: %d, %s)", size, err, o.Exit, o.brief())
	}
	return 1, nil
}

func (h *harm) skip(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.skipped {
		if s == what {
			return
		}
	}
	h.skipped = append(h.skipped, what)
}
