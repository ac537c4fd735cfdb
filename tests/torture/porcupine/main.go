// Checks with Porcupine whether the history of each contract is linearizable: whether every operation can have
// taken effect at one moment between its call and its return.
//
// It reads a file with one operation per line, prints the records whose histories can't be explained, and exits
// with 1 if there are any.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

// The timeout for a record; a history that is undecided by then counts as a violation.
const patience = 60 * time.Second

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: torture HISTORY")
		os.Exit(2)
	}
	histories, order, err := readFile(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	operations, violations := 0, 0
	for _, id := range order {
		operations += len(histories[id])
		model, name := contract, "contract "+id
		if id == "closing" {
			model, name = closings, id
		}
		switch porcupine.CheckOperationsTimeout(model, histories[id], patience) {
		case porcupine.Illegal:
			violations++
			fmt.Printf("%s: not linearizable (%d operations)\n", name, len(histories[id]))
		case porcupine.Unknown:
			violations++
			fmt.Printf("%s: undecided after %s (%d operations)\n", name, patience, len(histories[id]))
		}
	}
	fmt.Printf("%d records, %d operations, %d violations\n", len(order), operations, violations)
	if violations > 0 {
		os.Exit(1)
	}
}

// readFile groups the operations by record, in the order of the records' first occurrence.
func readFile(file string) (map[string][]porcupine.Operation, []string, error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer opened.Close()
	histories := map[string][]porcupine.Operation{}
	var order []string
	lines := json.NewDecoder(bufio.NewReaderSize(opened, 1<<20))
	for lines.More() {
		var op operation
		if err := lines.Decode(&op); err != nil {
			return nil, nil, err
		}
		if _, known := histories[op.Record]; !known {
			order = append(order, op.Record)
		}
		returned := int64(math.MaxInt64)
		if op.Return != nil {
			returned = *op.Return
		}
		histories[op.Record] = append(histories[op.Record], porcupine.Operation{Input: op, Call: op.Call, Return: returned})
	}
	for id, history := range histories {
		if id == "closing" {
			prepareClosing(history)
		} else {
			prepare(history)
		}
	}
	return histories, order, nil
}
