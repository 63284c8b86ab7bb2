package train

// multitask is the learner of model.method multitask. Its training tasks have a
// classifier each, so that it is complete only when these are known.
type multitask struct {
	pacia
	config RunConfig
}

// setTasks gives the model a classifier for each training task, by its number
// in the data set, and makes the optimiser.
func (m *multitask) setTasks(tasks []int) error {
	if err := m.AddHeads(tasks); err != nil {
		return err
	}
	return m.optimise(m.config)
}
