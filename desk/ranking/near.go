package ranking

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"pacia/trust"
)

// nearBytes is what it takes of a row to know what is near.
const nearBytes = 16

// appendNear appends what is near to a row as it is kept.
func appendNear(to []byte, n trust.Near) []byte {
	for _, v := range []uint32{uint32(n.Active), uint32(n.Inactive), math.Float32bits(n.ToActive), math.Float32bits(n.ToInactive)} {
		to = binary.LittleEndian.AppendUint32(to, v)
	}
	return to
}

func nearOf(b []byte) trust.Near {
	at := func(i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }
	return trust.Near{
		Active: int32(at(0)), Inactive: int32(at(1)),
		ToActive: math.Float32frombits(at(2)), ToInactive: math.Float32frombits(at(3)),
	}
}

// appendCells appends those of the columns of what is near to a line.
func (s *Spill) appendCells(line []byte, n trust.Near) []byte {
	if s.Named == nil {
		return line
	}
	line = append(append(line, ','), quoted(s.Named(n.Active))...)
	line = strconv.AppendFloat(append(line, ','), float64(n.ToActive), 'f', 3, 32)
	line = append(append(line, ','), quoted(s.Named(n.Inactive))...)
	return strconv.AppendFloat(append(line, ','), float64(n.ToInactive), 'f', 3, 32)
}

// quoted is a cell of a CSV.
func quoted(cell string) string {
	if cell == "" || !strings.ContainsAny(cell, ",\"\r\n") && strings.TrimSpace(cell) == cell {
		return cell
	}
	return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
}

// Called returns what molecule i of the support set is called: its name or, where it has
// none, its SMILES.
func (s *Support) Called(i int32) string {
	if name := s.Names[i]; name != "" {
		return name
	}
	return s.SMILES[i]
}
