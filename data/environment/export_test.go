package environment

// InUse returns the numbers of rows that are not free and of states in them.
func (r *StateCache) InUse() (rows, states int) { return len(r.used) - r.free(), len(r.rows) }
