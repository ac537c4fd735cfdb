/**
 * How long each of several things takes, in milliseconds: the median of rounds in which they take turns, so that what
 * else the machine does slows all of them alike.
 */
export async function interleavedMedians<Name extends string>(
  things: Readonly<Record<Name, (round: number) => Promise<unknown>>>,
  rounds = 5,
): Promise<Record<Name, number>> {
  const names = Object.keys(things) as Name[]
  const took = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const started = performance.now()
      await things[name](round)
      took.get(name)?.push(performance.now() - started)
    }
  }
  const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN
  return Object.fromEntries([...took].map(([name, times]) => [name, median(times)])) as Record<Name, number>
}
