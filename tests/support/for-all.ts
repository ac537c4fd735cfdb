import fc from 'fast-check'

type Values = [unknown, ...unknown[]]
type Drawn<Given extends Values> = { [Index in keyof Given]: fc.Arbitrary<Given[Index]> }
type Check<Given extends Values, Result> = (...given: Given) => Result
type Arguments<Given extends Values, Result> =
  | [options: fc.Parameters<Given>, check: Check<Given, Result>]
  | [check: Check<Given, Result>]

/** Checks a property for values drawn from these generators: `forAll([text], { numRuns: 50 }, (drawn) => …)`. */
export function forAll<Given extends Values>(drawn: Drawn<Given>, ...given: Arguments<Given, void>): void {
  const [check, options] = given.length === 1 ? [given[0], undefined] : [given[1], given[0]]
  fc.assert(fc.property(...drawn, check), options)
}

/** The same with an asynchronous check. */
export async function forAllAsync<Given extends Values>(
  drawn: Drawn<Given>,
  ...given: Arguments<Given, Promise<void>>
): Promise<void> {
  const [check, options] = given.length === 1 ? [given[0], undefined] : [given[1], given[0]]
  await fc.assert(fc.asyncProperty(...drawn, check), options)
}
