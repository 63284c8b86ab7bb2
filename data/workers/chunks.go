package workers

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// parseChunk is the number of molecules that a goroutine takes at a time: large enough for a
// negligible overhead, small enough for all goroutines to end at about the same time.
const parseChunk = 128

// InChunks divides n molecules into chunks of parseChunk over threads goroutines (0: one
// for each core), reports progress with the unit what, and returns when all are done. Each
// goroutine calls begin once, and then calls the function that it returned for each of its chunks.
func InChunks(ctx context.Context, what string, n, threads int, begin func() func(chunk, first, end int)) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var taken atomic.Int64
	var wg sync.WaitGroup
	var mu sync.Mutex
	done, chunks := 0, Chunks(n)
	for range min(threads, chunks) {
		wg.Go(func() {
			do := begin()
			for {
				chunk := int(taken.Add(1)) - 1
				if chunk >= chunks {
					return
				}
				first, end := chunk*parseChunk, min((chunk+1)*parseChunk, n)
				do(chunk, first, end)
				mu.Lock()
				done += end - first
				Report(ctx, what, done, n)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// Chunks returns the number of chunks of n molecules.
func Chunks(n int) int { return (n + parseChunk - 1) / parseChunk }
