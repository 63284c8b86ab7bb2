package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// tracedFlag makes this program install the filter of system calls and execute another one.
const tracedFlag = "-become-traced"

// changing lists the system calls that change files. A call stops the process, and is counted
// if its file is below the watched folder.
var changing = map[uint64]string{
	unix.SYS_WRITE: "write", unix.SYS_PWRITE64: "pwrite", unix.SYS_WRITEV: "writev", unix.SYS_FSYNC: "fsync", unix.SYS_FDATASYNC: "fdatasync",
	unix.SYS_FTRUNCATE: "ftruncate", unix.SYS_CLOSE: "close", unix.SYS_FCHMOD: "fchmod", unix.SYS_FLOCK: "flock", unix.SYS_COPY_FILE_RANGE: "copy",
	unix.SYS_OPENAT: "open", unix.SYS_MKDIRAT: "mkdir", unix.SYS_UNLINKAT: "unlink", unix.SYS_RENAMEAT: "rename", unix.SYS_RENAMEAT2: "rename", unix.SYS_RENAME: "rename",
}

// byPath lists the calls that take a path, with the index of that argument.
var byPath = map[uint64]int{unix.SYS_OPENAT: 1, unix.SYS_MKDIRAT: 1, unix.SYS_UNLINKAT: 1, unix.SYS_RENAMEAT: 1, unix.SYS_RENAMEAT2: 1, unix.SYS_RENAME: 0}

// becomeTraced makes the process stop at each of the calls, and executes args.
func becomeTraced(args []string) error {
	const nr = 0 // offset of the call's number in the data of a filter
	filter := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: nr}}
	for call := range changing {
		filter = append(filter,
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: uint32(call), Jf: 1},
			unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_TRACE})
	}
	filter = append(filter, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	if _, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program))); e != 0 {
		return fmt.Errorf("seccomp: %w", e)
	}
	return syscall.Exec(args[0], args, os.Environ())
}

// A blow is a kind of harm at a call.
type blow int

const (
	none    blow = iota
	fail         // this call fails
	failAll      // this call and all later ones fail
	half         // half of the data are written, and then all calls fail
	kill         // the process is killed before the call
)

// A trial is an attempt with a blow at one of its calls.
type trial struct {
	Dir  string // the folder of the watched files
	At   int    // the number of the call, counted from 1
	Blow blow
	Err  syscall.Errno
}

// A request is the input of a tracer. The tracer is a separate process, since it waits for
// all its children.
type request struct {
	trial
	Program, Work string
	Args          []string
}

// traced runs a command with a blow.
func (h *harm) traced(args []string, t trial) (o outcome, err error) {
	self, err := os.Executable()
	if err != nil {
		return o, err
	}
	q, err := json.Marshal(request{t, h.program, h.work, args})
	if err != nil {
		return o, err
	}
	text, err := exec.Command(self, tracerFlag, string(q)).Output()
	if err != nil {
		return o, fmt.Errorf("the tracer: %w", err)
	}
	if err := json.Unmarshal(text, &o); err != nil {
		return o, err
	}
	if o.Refused != 0 {
		return o, o.Refused
	}
	return o, nil
}

// tracerFlag makes this program a tracer.
const tracerFlag = "-become-tracer"

// becomeTracer carries out a request, and writes the reply to the standard output.
func becomeTracer(text string) error {
	var q request
	if err := json.Unmarshal([]byte(text), &q); err != nil {
		return err
	}
	h := &harm{program: q.Program, work: q.Work}
	o, err := h.trace(q.Args, q.trial)
	if err != nil && !errors.As(err, &o.Refused) {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(o)
}

// trace runs a command with a blow. The calling thread is its tracer.
func (h *harm) trace(args []string, t trial) (o outcome, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	self, err := os.Executable()
	if err != nil {
		return o, err
	}
	stderr, err := os.CreateTemp(h.work, "stderr-*")
	if err != nil {
		return o, err
	}
	defer func() { _, _ = stderr.Close(), os.Remove(stderr.Name()) }()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return o, err
	}
	defer null.Close()
	pid, err := syscall.ForkExec(self, append([]string{self, tracedFlag, h.program}, args...), &syscall.ProcAttr{
		Dir: t.Dir, Env: environment(t.Dir), Files: []uintptr{null.Fd(), null.Fd(), stderr.Fd()},
		Sys: &syscall.SysProcAttr{Ptrace: true, Setpgid: true},
	})
	if err != nil {
		return o, err
	}
	timer := time.AfterFunc(patience, func() { _ = syscall.Kill(-pid, syscall.SIGKILL) })
	w := watcher{trial: t, pid: pid, seen: map[int]bool{pid: true}}
	err = w.follow()
	o.Stuck = !timer.Stop()
	text, readErr := os.ReadFile(stderr.Name())
	o.Stderr, o.Exit, o.Calls, o.Hit = string(text), w.status.ExitStatus(), w.calls, w.hit
	return o, errors.Join(err, readErr)
}

// watcher follows a process, its threads and its children.
type watcher struct {
	trial
	pid    int
	seen   map[int]bool // threads that have begun
	calls  int
	hit    string // the call with the blow
	status unix.WaitStatus
}

func (w *watcher) follow() error {
	const options = unix.PTRACE_O_TRACESECCOMP | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACEEXEC | unix.PTRACE_O_EXITKILL
	begun := false
	for {
		var s unix.WaitStatus
		tid, err := unix.Wait4(-1, &s, unix.WALL|unix.WNOTHREAD, nil)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ECHILD):
			return nil
		case err != nil:
			return err
		case s.Exited() || s.Signaled():
			if tid == w.pid {
				w.status = s
			}
			continue
		case !begun:
			if err := unix.PtraceSetOptions(tid, options); err != nil {
				return err
			}
			begun = true
			_ = unix.PtraceCont(tid, 0)
			continue
		}
		signal := 0
		switch {
		case s.StopSignal() == unix.SIGTRAP && s.TrapCause() == unix.PTRACE_EVENT_SECCOMP:
			w.call(tid)
		case s.StopSignal() == unix.SIGTRAP && s.TrapCause() > 0: // another event
		case s.StopSignal() == unix.SIGSTOP && !w.seen[tid]: // the first stop of a thread
		default:
			signal = int(s.StopSignal())
		}
		w.seen[tid] = true
		_ = unix.PtraceCont(tid, signal) // the thread may have ended
	}
}

// call handles a call that a thread is about to make.
func (w *watcher) call(tid int) {
	var r unix.PtraceRegs
	if unix.PtraceGetRegs(tid, &r) != nil {
		return
	}
	name, counts := w.named(tid, &r)
	if !counts {
		return
	}
	w.calls++
	past := w.hit != ""
	if w.Blow == none || w.calls < w.At || past && w.Blow != failAll && w.Blow != half {
		return
	}
	if !past {
		w.hit = fmt.Sprintf("%s %s", changing[r.Orig_rax], name)
	}
	isWrite := r.Orig_rax == unix.SYS_WRITE || r.Orig_rax == unix.SYS_PWRITE64
	switch {
	case w.Blow == kill:
		_ = syscall.Kill(-w.pid, syscall.SIGKILL)
		return
	case w.Blow == half && !past && isWrite && r.Rdx > 1:
		r.Rdx /= 2
	default:
		r.Orig_rax, r.Rax = ^uint64(0), uint64(-int64(w.Err)) // no call, and an error as its result
	}
	_ = unix.PtraceSetRegs(tid, &r)
}

// named returns the file of a call, and whether it is a watched file.
func (w *watcher) named(tid int, r *unix.PtraceRegs) (string, bool) {
	arg, isPath := byPath[r.Orig_rax]
	if !isPath {
		file, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", tid, int32(r.Rdi)))
		return w.below(file, err)
	}
	if r.Orig_rax == unix.SYS_OPENAT && r.Rdx&(unix.O_CREAT|unix.O_TRUNC) == 0 {
		return "", false
	}
	address := [...]uint64{r.Rdi, r.Rsi}[arg]
	var text [4096]byte
	n, _ := unix.PtracePeekData(tid, uintptr(address), text[:]) // up to the end of mapped memory
	file, _, found := strings.Cut(string(text[:n]), "\x00")
	if !found {
		return "", false
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(w.Dir, file) // the working folder of all processes
	}
	return w.below(file, nil)
}

func (w *watcher) below(file string, err error) (string, bool) {
	name, found := strings.CutPrefix(file, w.Dir+"/")
	return name, found && err == nil
}
