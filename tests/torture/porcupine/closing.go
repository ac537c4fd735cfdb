package main

import "github.com/anishathalye/porcupine"

// closing is what is closed, and why.
type closing struct {
	ClosedThrough string `json:"closedThrough"`
	Reason        string `json:"reason"`
}

// register is the state of the closing. Version 0: nothing was ever closed.
type register struct {
	version int
	closing closing
	// How many reads of this version have happened; see prepare.go.
	reads int
}

// closings models what reads and writes of the closing may answer.
var closings = porcupine.Model{
	Init: func() interface{} { return register{} },
	Step: func(state, input, _ interface{}) (bool, interface{}) {
		return stepClosing(state.(register), input.(operation))
	},
}

func stepClosing(now register, op operation) (bool, register) {
	switch op.Op {
	case "set":
		return set(now, op)
	case "show":
		next := now
		next.reads++
		return op.Version == now.version && *op.Closing == now.closing, next
	}
	panic("unknown operation " + op.Op)
}

func set(now register, op operation) (bool, register) {
	matches := op.IfMatch == 0 || op.IfMatch == now.version
	if op.Refusal != "" {
		return !matches, now
	}
	isSame := now.version > 0 && *op.Closing == now.closing
	if matches && isSame && (op.Version == 0 || op.Version == now.version) {
		return true, now
	}
	isNext := op.Version == now.version+1 && op.reads == now.reads
	if matches && !isSame && (op.Version == 0 || isNext) {
		return true, register{version: now.version + 1, closing: *op.Closing}
	}
	// A set of unknown outcome that was not carried out.
	return op.Return == nil && op.Version == 0, now
}

// prepareClosing spares Porcupine the same search as prepare does.
func prepareClosing(history []porcupine.Operation) {
	reads := map[int]int{}
	for _, one := range history {
		if op := one.Input.(operation); op.Op == "show" {
			reads[op.Version]++
		}
	}
	for i := range history {
		if op := history[i].Input.(operation); op.Op == "set" && op.Version > 0 {
			op.reads = reads[op.Version-1]
			history[i].Input = op
		}
	}
}
