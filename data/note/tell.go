package note

import (
	"context"
	"log/slog"
	"sync"
)

type toldKey struct{}

// Once returns a context in which [Tell] logs each note of a data set once, also if the data set is opened for
// several models.
func Once(ctx context.Context) context.Context {
	return context.WithValue(ctx, toldKey{}, new(sync.Map))
}

// silent is the value of toldKey in a context of Silent.
type silent struct{}

// Silent returns a context in which Tell logs nothing, for a caller that logs the notes itself.
func Silent(ctx context.Context) context.Context { return context.WithValue(ctx, toldKey{}, silent{}) }

// Tell logs the notes of a file or folder: the assumptions by which it was read.
func Tell(ctx context.Context, path string, notes []string) {
	if _, quiet := ctx.Value(toldKey{}).(silent); quiet {
		return
	}
	told, once := ctx.Value(toldKey{}).(*sync.Map)
	for _, line := range notes {
		line = path + ": " + line
		if once {
			if _, before := told.LoadOrStore(line, true); before {
				continue
			}
		}
		slog.Info(line)
	}
}
