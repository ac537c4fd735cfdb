package main

import (
	"strings"

	"github.com/anishathalye/porcupine"
)

// values are the fields of a contract that the checks track.
type values struct {
	ServiceName string `json:"serviceName"`
	ServiceType string `json:"serviceType"`
	Notes       string `json:"notes"`
	ServiceDate string `json:"serviceDate"`
}

// changes are the fields that an edit sets.
type changes struct {
	ServiceType *string `json:"serviceType"`
	Notes       *string `json:"notes"`
	ServiceDate *string `json:"serviceDate"`
}

func (c changes) appliedTo(before values) values {
	if c.ServiceType != nil {
		before.ServiceType = *c.ServiceType
	}
	if c.Notes != nil {
		before.Notes = *c.Notes
	}
	if c.ServiceDate != nil {
		before.ServiceDate = *c.ServiceDate
	}
	return before
}

// operation is a line of the history. Its times are microseconds of one clock.
type operation struct {
	Record string `json:"record"`
	// create, edit, touch (a no-op edit), get, row (a record in a list, which has no version) or find (a search for a
	// word). For the closing: set or show.
	Op   string `json:"op"`
	Call int64  `json:"call"`
	// nil: the caller never learned the outcome, so it may take effect at any time after Call, or never.
	Return *int64 `json:"return"`
	// What a create requested, or what a get, row or find returned; nil: there is none.
	Values  *values `json:"values"`
	Changes changes `json:"changes"`
	// The version in an edit's If-Match; 0: any.
	IfMatch int `json:"ifMatch"`
	// The version in the answer or the record's history; 0: unknown.
	Version int `json:"version"`
	// Why an edit changed nothing: precondition_failed or not_found.
	Refusal string `json:"refusal"`
	Word    string `json:"word"`
	// What a set of the closing requested, or a show returned.
	Closing *closing `json:"closing"`
	// The number of reads of the version that an edit replaces, or before a create; see prepare.go.
	reads int
}

// record is the state of one contract. Version 0: it does not exist.
type record struct {
	version int
	values  values
	// How many reads of this version have happened.
	reads int
}

// contract models what one contract may answer, one operation after another.
var contract = porcupine.Model{
	Init: func() interface{} { return record{} },
	Step: func(state, input, _ interface{}) (bool, interface{}) {
		return step(state.(record), input.(operation))
	},
}

func step(now record, op operation) (bool, record) {
	exists := now.version > 0
	switch op.Op {
	case "create":
		return !exists && op.reads == now.reads, record{version: 1, values: *op.Values}
	case "edit":
		return edit(now, op)
	case "touch":
		if op.Refusal != "" {
			return edit(now, op)
		}
		matches, next := read(now, op)
		return matches && (op.IfMatch == 0 || op.IfMatch == now.version), next
	case "get":
		if op.Values == nil {
			next := now
			next.reads++
			return !exists, next
		}
		return read(now, op)
	case "row":
		return read(now, op)
	case "find":
		if op.Values == nil {
			return !strings.Contains(now.values.ServiceType, op.Word), now
		}
		if !strings.Contains(now.values.ServiceType, op.Word) {
			return false, now
		}
		return read(now, op)
	}
	panic("unknown operation " + op.Op)
}

func read(now record, op operation) (bool, record) {
	if op.Version == 0 {
		return now.version > 0 && now.values == *op.Values, now
	}
	next := now
	next.reads++
	return now.version == op.Version && now.values == *op.Values, next
}

func edit(now record, op operation) (bool, record) {
	exists := now.version > 0
	matches := op.IfMatch == 0 || op.IfMatch == now.version
	switch op.Refusal {
	case "not_found":
		return !exists, now
	case "precondition_failed":
		return exists && !matches, now
	}
	isNext := op.Version == now.version+1 && op.reads == now.reads
	isPossible := exists && matches && (op.Version == 0 || isNext)
	if !isPossible {
		// An edit of unknown outcome that was not carried out.
		return op.Return == nil && op.Version == 0, now
	}
	next := record{version: now.version + 1, values: op.Changes.appliedTo(now.values)}
	return op.Values == nil || next.values == *op.Values, next
}
