package config

import "pacia/fault"

// parse reads the text of one value as the setting's type.
func (s setting) parse(text string) (any, error) {
	v, err := s.Parse(text)
	if err != nil {
		return nil, &fault.Error{Err: err}
	}
	return v, nil
}
