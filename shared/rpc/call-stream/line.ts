/** Items that are begun in their order, only so many at once; the others wait. */
export interface Line<Item> {
  add(item: Item): void
  /** One that was begun is done: the next may begin. */
  done(): void
  waiting(): number
}

/** An empty line. `begin` must not throw. */
export function createLine<Item>(atOnce: number, begin: (item: Item) => void): Line<Item> {
  const queue: Item[] = []
  let underWay = 0
  return {
    add(item) {
      if (underWay === atOnce) {
        queue.push(item)
        return
      }
      underWay++
      begin(item)
    },
    done() {
      const next = queue.shift()
      if (next === undefined) underWay--
      else begin(next)
    },
    waiting: () => queue.length,
  }
}
