package main

import (
	"sort"

	"github.com/anishathalye/porcupine"
)

// prepare spares Porcupine most of its search without changing what is linearizable. Versions only rise, so every
// read of a version comes before the edit that replaces it, and an edit carries the number of these reads. Without
// it, Porcupine tries an edit as soon as it was called, and finds out many operations later that a read should have
// come first. The same applies to a create and the reads that found no record. A row of a list has no version, but
// each version has unique values.
func prepare(history []porcupine.Operation) {
	versions := versionsOf(history)
	reads := map[int]int{}
	for i := range history {
		op := history[i].Input.(operation)
		if isRead(op) {
			if op.Version == 0 {
				op.Version = versions[*op.Values]
				history[i].Input = op
			}
			reads[op.Version]++
		} else if op.Op == "get" {
			reads[0]++
		}
	}
	for i := range history {
		op := history[i].Input.(operation)
		if op.Op == "create" {
			op.reads = reads[0]
			history[i].Input = op
		}
		if op.Op == "edit" && op.Version > 0 {
			op.reads = reads[op.Version-1]
			history[i].Input = op
		}
	}
}

func isRead(op operation) bool {
	return op.Values != nil && (op.Op == "get" || op.Op == "touch" || op.Op == "row" || op.Op == "find")
}

// versionsOf folds the known writes of a record, up to the first gap.
func versionsOf(history []porcupine.Operation) map[values]int {
	var writes []operation
	for _, one := range history {
		op := one.Input.(operation)
		if op.Op == "create" {
			op.Version = 1
		}
		if (op.Op == "create" || op.Op == "edit") && op.Version > 0 {
			writes = append(writes, op)
		}
	}
	sort.SliceStable(writes, func(i, j int) bool { return writes[i].Version < writes[j].Version })
	versions := map[values]int{}
	var now values
	for i, op := range writes {
		if op.Version != i+1 {
			break
		}
		if op.Op == "create" {
			now = *op.Values
		} else {
			now = op.Changes.appliedTo(now)
		}
		versions[now] = op.Version
	}
	return versions
}
