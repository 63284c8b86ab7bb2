// Package child runs a process that leaves with this one.
package child

import (
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// Run starts c and waits for it. Where c's context ends it is asked to leave, and killed
// when it has not left after grace; where this process is killed, it is asked as well.
func Run(c *exec.Cmd, grace time.Duration) error {
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = grace
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	// The kernel goes by the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return c.Run()
}
