package rdkit

/*
#include "rdkit.h"
*/
import "C"

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
)

// Kinds of questions.
const (
	askParse       = C.PACIA_ASK_PARSE
	askKekule      = C.PACIA_ASK_KEKULE
	askRewrite     = C.PACIA_ASK_REWRITE
	askDraw        = C.PACIA_ASK_DRAW
	askDescriptors = C.PACIA_ASK_DESCRIPTORS
	askConformer   = C.PACIA_ASK_CONFORMER
	askMotifs      = C.PACIA_ASK_MOTIFS
	askMiniMol     = C.PACIA_ASK_MINIMOL
	askStructure   = C.PACIA_ASK_STRUCTURE
	askCounts      = C.PACIA_ASK_COUNTS

	askEnvironments = C.PACIA_ASK_ENVIRONMENTS
	askFragments    = C.PACIA_ASK_FRAGMENTS
)

// The first byte of an answer.
const (
	result  = iota
	refusal // the rest is the reason
)

// largestFrame is the largest length of a frame in bytes: several times that of the largest
// molblock and of the largest drawing.
const largestFrame = 16 << 20

// question is a question for pacia-rdkit.
type question struct {
	kind byte
	a, b int32 // parameters; their meaning depends on the kind
	text string
	with string // patterns of a structure, which a process keeps until it receives others
}

// withPatterns is a bit of the kind of a structure that is sent with its patterns. A structure without this bit
// has the patterns of the previous one.
const withPatterns = 0x80

// greeting begins the first frame that a process sends. The version of RDKit follows.
const greeting = "pacia-rdkit 10, RDKit "

const questionHead = 9

func (q question) size() int { return 4 + questionHead + 4 + len(q.with) + len(q.text) }

// append appends the frame of a question for a process that has the patterns in before.
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

// questionOf parses the frame of a question. before are the patterns that were sent before.
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

// whole returns the text of a question with the patterns of a structure.
func (q question) whole() string {
	if q.kind == askStructure {
		return q.text + "\n" + q.with
	}
	return q.text
}

func (q question) ask(ctx context.Context) ([]byte, error) { return reader.Load().one(ctx, q) }

// askAll asks a question for each SMILES, parses the answers with read, and calls take with each result or
// error. After ctx is done, the remaining SMILES have the context's error.
func askAll[T any](ctx context.Context, kind byte, smiles []string, read func([]byte) (T, error), take func(i int, m T, err error)) {
	questions, at := make([]question, 0, len(smiles)), make([]int, 0, len(smiles))
	for i, text := range smiles {
		if err := check(text); err != nil {
			take(i, *new(T), err)
			continue
		}
		questions, at = append(questions, question{kind: kind, text: text}), append(at, i)
	}
	reader.Load().ask(ctx, questions, func(i int, answer []byte, err error) {
		var m T
		if err == nil {
			m, err = read(answer)
		}
		take(at[i], m, err)
	})
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
