const METHODS = ['close', 'destroy', 'disconnect', 'kill', 'remove', 'stop'] as const
type Method = (typeof METHODS)[number]

/** What cleanup() returns. `atEnd.close(thing)` is `thing`, and calls `thing.close()` after the running test. */
export type AtEnd = ((end: () => unknown) => void) & {
  readonly [Name in Method]: <Thing extends Readonly<Record<Name, () => unknown>>>(thing: Thing) => Thing
}

/** Called inside a `describe`: what it returns takes things to end after the running test, newest first. */
export function cleanup(): AtEnd {
  const ends: (() => unknown)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  const methods = METHODS.map((name) => {
    const ended = (thing: Readonly<Record<Method, () => unknown>>) => {
      ends.push(() => thing[name]())
      return thing
    }
    return [name, ended]
  })
  return Object.assign((end: () => unknown) => ends.push(end), Object.fromEntries(methods))
}
