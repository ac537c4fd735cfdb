import { toPointer } from '../../shared/fields/check.ts'
import type { ViolationCode } from '../../shared/fields/rule.ts'
import type { PlacedViolation } from '../problem.ts'

/** Query parameters by name, and what is wrong before any rule is looked at. */
export interface Query {
  readonly values: Readonly<Record<string, string>>
  readonly violations: readonly PlacedViolation[]
}

/** Parses a query (with its `?`); brackets mean nothing, and a name given twice is a violation. */
export function parseQuery(query: string): Query {
  if (query.length <= 1) return NOTHING
  const values = new Map<string, string>()
  const twice = new Set<string>()
  for (const [name, value] of new URLSearchParams(query)) {
    if (values.has(name)) twice.add(name)
    else values.set(name, value)
  }
  return { values: Object.fromEntries(values), violations: [...twice].map(givenTwice) }
}

const NOTHING: Query = { values: {}, violations: [] }

function givenTwice(name: string): PlacedViolation {
  return {
    in: 'query',
    pointer: toPointer([name]),
    code: 'given_twice' satisfies ViolationCode,
    message: 'Given more than once. Give it once.',
  }
}
