// Package child runs a process that ends with this one.
package child

import (
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// Run starts c and waits for it. When c's context ends, c gets SIGTERM, and is killed if it
// has not ended after grace. It also gets SIGTERM when this process is killed.
func Run(c *exec.Cmd, grace time.Duration) error {
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = grace
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	// The kernel sends Pdeathsig when the thread that started c ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return c.Run()
}
