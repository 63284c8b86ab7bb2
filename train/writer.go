package train

// writer does one piece of work at a time in a goroutine of its own: writing a
// large checkpoint takes longer than the steps between two of them. The work
// must not need tensors: those belong to one thread.
type writer struct {
	ended chan error // gets what the work under way came to; nil: there is none
}

// start begins work. None may be under way.
func (w *writer) start(work func() error) {
	ended := make(chan error, 1)
	w.ended = ended
	go func() { ended <- work() }()
}

// busy reports whether work is under way, and the error of work that has ended
// since it was last asked.
func (w *writer) busy() (bool, error) {
	select {
	case err := <-w.ended:
		w.ended = nil
		return false, err
	default:
		return w.ended != nil, nil
	}
}

// wait returns when no work is under way.
func (w *writer) wait() error {
	if w.ended == nil {
		return nil
	}
	err := <-w.ended
	w.ended = nil
	return err
}
