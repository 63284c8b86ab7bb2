package fsmol

import "context"

// Measurements calls f for each molecule of each task of a folder of task files, with the part that the task
// belongs to: train, valid or test.
func Measurements(ctx context.Context, dir string, f func(part, task string, m *Molecule) error) error {
	all, err := findFiles(dir)
	if err != nil {
		return err
	}
	for part, numbers := range all.parts {
		for _, i := range numbers {
			molecules, err := readTask(ctx, all.paths[i])
			if err != nil {
				return err
			}
			for j := range molecules {
				if err := f(folders[part], TaskName(all.paths[i]), &molecules[j]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
