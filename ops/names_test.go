package ops

import (
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/sugarme/gotch/ts"

	"pacia/cuda"
)

// TestTensorsOfManyThreadsAreAllFreed: each tensor has its own name, under which gotch
// lists it until it is dropped.
func TestTensorsOfManyThreadsAreAllFreed(t *testing.T) {
	const threads, each = 8, 500
	before := len(ts.ExistingTensors)
	var made [threads][]*ts.Tensor
	var running sync.WaitGroup
	for i := range made {
		running.Go(func() {
			for range each {
				x, err := New([]float32{1, 2}, []int64{1, 2}, CPU)
				if err != nil {
					t.Error(err)
					return
				}
				y, err := New([]float32{3, 4}, []int64{2, 1}, CPU)
				if err != nil {
					t.Error(err)
					return
				}
				product, err := Matmul(x, y)
				if err != nil {
					t.Error(err)
					return
				}
				var s Scope
				err = s.Run(func() {
					sum := s.Call("sum", func() (*ts.Tensor, error) { return product.Sum(product.DType(), false) })
					made[i] = append(made[i], x, y, product, sum)
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	running.Wait()
	if n := len(ts.ExistingTensors) - before; n != 4*threads*each {
		t.Errorf("%d of %d tensors are listed", n, 4*threads*each)
	}
	for _, list := range made {
		Drop(list...)
	}
}

// TestFieldsOfATensor: the fields of ts.Tensor are the expected ones in the gotch of go.mod.
func TestFieldsOfATensor(t *testing.T) {
	if !known {
		t.Error("ts.Tensor does not have the fields that this package expects, so each tensor costs 100 kB: see wrap.go")
	}
	type other struct {
		A *byte
		C unsafe.Pointer
		B string
		D string
	}
	if sameFields(reflect.TypeFor[other](), reflect.TypeFor[fields]()) {
		t.Error("fields in another order are accepted as those of ts.Tensor")
	}
}

// TestErrorsOfGotch: they have no Go stack, and the kind by which a batch is halved or a run resumed.
func TestErrorsOfGotch(t *testing.T) {
	a, err := Vector([]float32{1, 2}, CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer Drop(a)
	_, err = call("product", func() (*ts.Tensor, error) { return a.Mm(a, false) })
	if err == nil || !strings.HasPrefix(err.Error(), "product: ") || strings.Contains(err.Error(), "goroutine") {
		t.Errorf("%v, want a message without a stack", err)
	}
	_, err = call("rows", func() (*ts.Tensor, error) {
		return nil, errors.New("Libtorch API Error: CUDA out of memory. Tried to allocate 2 GiB\ngoroutine 1 [running]:\nmain.main()")
	})
	if !errors.Is(err, cuda.ErrOutOfMemory) || strings.Contains(err.Error(), "goroutine") {
		t.Errorf("%v, want ErrOutOfMemory without a stack", err)
	}
}
