package data

import "slices"

// PickSupport returns a batch of one task without queries, whose support set consists of the given
// molecules of b with the given labels.
func (b *Batch) PickSupport(molecules []int32, labels []uint8) *Batch {
	p := new(Batch)
	p.reset()
	p.Tasks, p.Support, p.TaskNumber = 1, len(molecules), []int32{0}
	for i, m := range molecules {
		p.AddFrom(&b.Inputs, m)
		p.SupportMol = append(p.SupportMol, int32(i))
	}
	p.endGroup()
	p.endGroup()
	p.SupportLabel = slices.Clone(labels)
	active := 0
	for _, y := range labels {
		active += int(y)
	}
	p.Shots = min(active, len(labels)-active)
	return p
}

// PickQueries returns a batch of the given molecules of b as queries without labels.
func (b *Batch) PickQueries(molecules []int32) *Batch {
	p := new(Batch)
	p.reset()
	p.Tasks, p.TaskNumber = 1, []int32{0}
	p.endGroup()
	for i, m := range molecules {
		p.AddFrom(&b.Inputs, m)
		p.QueryMol, p.QueryTask = append(p.QueryMol, int32(i)), append(p.QueryTask, 0)
	}
	p.endGroup()
	return p
}

// Apart returns two batches for each task of b. Their support sets are the task's support and
// its labelled queries. So each has its own statistics of batch norm, as its group has in b.
func (b *Batch) Apart() (support, queries []*Batch) {
	for t := range b.Tasks {
		from := t * b.Support
		s := b.PickSupport(b.SupportMol[from:from+b.Support], b.SupportLabel[from:from+b.Support])
		var molecules []int32
		var labels []uint8
		for q, task := range b.QueryTask {
			if int(task) == t {
				molecules, labels = append(molecules, b.QueryMol[q]), append(labels, b.QueryLabel[q])
			}
		}
		q := b.PickSupport(molecules, labels)
		s.TaskNumber[0], q.TaskNumber[0] = b.TaskNumber[t], b.TaskNumber[t]
		support, queries = append(support, s), append(queries, q)
	}
	return support, queries
}
