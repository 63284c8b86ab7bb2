package rdkit

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// What is asked for.
const (
	askParse = iota
	askKekule
	askRewrite
	askDraw
	askDescriptors
	askConformer
	askMotifs
	askMiniMol
	askStructure
	askSurroundings
)

// The first byte of an answer.
const (
	result  = iota
	refusal // the rest is the reason
)

// largestFrame bounds what one side takes for the length of a frame: several times the
// largest molecule block, and the largest drawing.
const largestFrame = 16 << 20

// question is a call of RDKit that another process can make.
type question struct {
	kind byte
	a, b int32 // as the kind has it
	text string
	with string // patterns of a structure, which a process keeps until it gets others
}

// withPatterns marks a structure that comes with its patterns, in its kind. Others have those of the one
// before.
const withPatterns = 0x80

// greeting is what a process says first.
func greeting() string { return "pacia-rdkit 7, RDKit " + Version() }

const questionHead = 9

func (q question) size() int { return 4 + questionHead + 4 + len(q.with) + len(q.text) }

// append appends a question for a process that has the patterns before.
func (q question) append(to []byte, before string) []byte {
	kind, with := q.kind, q.kind == askStructure && q.with != before
	if with {
		kind |= withPatterns
	}
	to = append(to, kind)
	to = binary.LittleEndian.AppendUint32(to, uint32(q.a))
	to = binary.LittleEndian.AppendUint32(to, uint32(q.b))
	if with {
		to = binary.LittleEndian.AppendUint32(to, uint32(len(q.with)))
		to = append(to, q.with...)
	}
	return append(to, q.text...)
}

// questionOf reads a question of a process that had the patterns before.
func questionOf(frame []byte, before string) (question, error) {
	if len(frame) < questionHead {
		return question{}, fmt.Errorf("a question of %d bytes", len(frame))
	}
	a, b := binary.LittleEndian.Uint32(frame[1:]), binary.LittleEndian.Uint32(frame[5:])
	q, text := question{kind: frame[0] &^ withPatterns, a: int32(a), b: int32(b), with: before}, frame[questionHead:]
	if frame[0]&withPatterns != 0 {
		if len(text) < 4 || uint64(binary.LittleEndian.Uint32(text)) > uint64(len(text)-4) {
			return question{}, fmt.Errorf("patterns beyond a question of %d bytes", len(frame))
		}
		n := 4 + int(binary.LittleEndian.Uint32(text))
		q.with, text = string(text[4:n]), text[n:]
	}
	q.text = string(text)
	return q, nil
}

// here answers questions in this process.
func here(questions []question, take func(int, []byte, error)) {
	p := Parser{thorough: true}
	for i, q := range questions {
		answer, err := q.answer(&p, nil)
		take(i, answer, err)
	}
}

// answer appends what is asked for.
func (q question) answer(p *Parser, to []byte) ([]byte, error) {
	switch q.kind {
	case askParse:
		p.Counts, p.Bare = q.a&parseCounts != 0, q.a&parseBare != 0
		m, err := p.here(q.text)
		if err != nil {
			return nil, err
		}
		return m.append(to), nil
	case askKekule:
		m, err := kekuleHere(q.text, q.a != 0)
		if err != nil {
			return nil, err
		}
		return m.append(to), nil
	case askRewrite:
		text, err := rewrittenHere(q.text, q.a)
		return append(to, text...), err
	case askDraw:
		svg, err := drawHere(q)
		return append(to, svg...), err
	case askDescriptors:
		values, err := descriptorsHere(nil, q.text)
		for _, v := range values {
			to = binary.LittleEndian.AppendUint64(to, math.Float64bits(v))
		}
		return to, err
	case askConformer:
		c, err := conformHere(q.text, q.a)
		if err != nil {
			return nil, err
		}
		return c.append(to), nil
	case askMotifs:
		return motifsHere(to, q.text)
	case askMiniMol:
		m, err := miniMolHere(q.text)
		if err != nil {
			return nil, err
		}
		return m.append(to), nil
	case askStructure:
		text, err := structureHere(q)
		return append(to, text...), err
	case askSurroundings:
		list, err := surroundingsHere(q.text)
		for _, v := range list {
			to = binary.LittleEndian.AppendUint32(to, uint32(v))
		}
		return to, err
	}
	return nil, fmt.Errorf("no question of the kind %d", q.kind)
}

func writeFrame(w *bufio.Writer, frame []byte) error {
	var head [4]byte
	binary.LittleEndian.PutUint32(head[:], uint32(len(frame)))
	if _, err := w.Write(head[:]); err != nil {
		return err
	}
	_, err := w.Write(frame)
	return err
}

// readFrame reads a frame into the room of into.
func readFrame(r *bufio.Reader, into []byte) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return into, err
	}
	n := int(binary.LittleEndian.Uint32(head[:]))
	if n > largestFrame {
		return into, fmt.Errorf("a frame of %d bytes", n)
	}
	if cap(into) < n {
		into = make([]byte, n)
	}
	into = into[:n]
	_, err := io.ReadFull(r, into)
	return into, err
}
