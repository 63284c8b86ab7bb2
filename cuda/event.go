package cuda

// #include "torch.h"
import "C"

// Event is a place in a stream's work that others can wait for.
type Event struct{ c *C.pacia_event }

// NewEvent makes one that is in no stream yet, and so done.
func NewEvent(device int) (*Event, error) {
	var e Event
	if err := failure(C.pacia_event_new(C.int(device), &e.c)); err != nil {
		return nil, err
	}
	return &e, nil
}

// Record puts the event behind the work of the current stream.
func (e *Event) Record() error { return failure(C.pacia_event_record(e.c)) }

// Wait makes what the current stream is given from now on wait for the event.
func (e *Event) Wait() error { return failure(C.pacia_event_wait(e.c)) }

// Synchronize waits for the event.
func (e *Event) Synchronize() error { return failure(C.pacia_event_synchronize(e.c)) }

// Done says whether Synchronize would return at once, be it with an error.
func (e *Event) Done() bool {
	var done C.bool
	err := failure(C.pacia_event_done(e.c, &done))
	return err != nil || bool(done)
}

// Drop frees the event.
func (e *Event) Drop() {
	if e.c != nil {
		C.pacia_event_free(e.c)
		e.c = nil
	}
}
