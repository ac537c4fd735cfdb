const METHODS = ['close', 'destroy', 'disconnect', 'kill', 'remove', 'stop'] as const
type Method = (typeof METHODS)[number]

/** `atEnd.close(thing)` returns `thing`, and calls `thing.close()` after the running test. */
type AtEnd = ((end: () => unknown) => void) & {
  readonly [Name in Method]: <Thing extends Readonly<Record<Name, () => unknown>>>(thing: Thing) => Thing
}

const ends: (() => unknown)[] = []
const methods = METHODS.map((name) => {
  const ended = (thing: Readonly<Record<Method, () => unknown>>) => {
    ends.push(() => thing[name]())
    return thing
  }
  return [name, ended]
})

/** Registers things to end after the running test, newest first. */
export const atEnd: AtEnd = Object.assign((end: () => unknown) => ends.push(end), Object.fromEntries(methods))

/** Mocha loads this file before any suite (.mocharc.json). */
export const mochaHooks = {
  async afterEach() {
    for (const end of ends.splice(0).reverse()) await end()
  },
}
