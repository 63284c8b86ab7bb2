package pretrain

import (
	"crypto/sha256"
	"fmt"

	"pacia/data"
	"pacia/data/molecule"
)

// OfTasks returns a library of the molecules of a data set with their labels in some of
// its tasks, for [Supervised]. The data set must stay open.
func OfTasks(ds *data.Dataset, tasks []int) (*Library, error) {
	store, ok := ds.Store.(*molecule.Store)
	if !ok {
		return nil, fmt.Errorf("%s has no atoms and bonds to learn from", ds.Name)
	}
	l := &Library{Name: ds.Name, Store: store, labels: &labels{ptr: make([]int32, store.Len()+1)}}
	hash := sha256.New()
	_, _ = fmt.Fprintln(hash, ds.Hash)
	for _, number := range tasks {
		t := &ds.Tasks[number]
		l.labels.assays = append(l.labels.assays, t.Name)
		_, _ = fmt.Fprintf(hash, "%q\n", t.Name)
		for _, row := range t.Rows {
			l.labels.ptr[row+1]++
		}
	}
	for i := range store.Len() {
		l.rows = append(l.rows, int32(i))
		l.labels.ptr[i+1] += l.labels.ptr[i]
	}
	l.labels.marks = make([]mark, l.labels.ptr[store.Len()])
	next := append([]int32(nil), l.labels.ptr...)
	for assay, number := range tasks {
		t := &ds.Tasks[number]
		for i, row := range t.Rows {
			l.labels.marks[next[row]] = mark{row, int32(assay), t.Labels[i]}
			next[row]++
		}
	}
	l.Hash = fmt.Sprintf("%x", hash.Sum(nil))
	return l, nil
}
