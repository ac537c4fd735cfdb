import type { Violation } from './errors.ts'

/** The most violations that an answer lists. */
export const MAX_VIOLATIONS = 100

/** A pointer may name a field of 100,000 characters: longer ones are cut and end with `…`. */
const MAX_POINTER = 500

/** The first violations: as many as an answer may list and as fit into `maxBytes` as JSON, but at least one. */
export function shownViolations<V extends Violation>(violations: readonly V[], maxBytes: number): readonly V[] {
  const shown: V[] = []
  let bytes = 0
  for (const violation of violations.slice(0, MAX_VIOLATIONS)) {
    const short = { ...violation, pointer: shortened(violation.pointer) }
    bytes += Buffer.byteLength(JSON.stringify(short))
    if (bytes > maxBytes && shown.length > 0) break
    shown.push(short)
  }
  return shown
}

function shortened(pointer: string): string {
  return pointer.length > MAX_POINTER ? `${pointer.slice(0, MAX_POINTER).toWellFormed()}…` : pointer
}
