import type { ViolationCode } from '../../shared/fields/rule.ts'
import type { LocatedViolation } from '../problem.ts'

/** A parsed If-Match or If-None-Match (RFC 9110, section 13.1). */
export type TagCondition =
  | { readonly type: 'any' }
  | { readonly type: 'tags'; readonly tags: readonly EntityTag[] }
  | { readonly type: 'malformed' }

export interface EntityTag {
  readonly weak: boolean
  /** Without its quotes. */
  readonly value: string
}

/** The entity tag of a record's version. */
export function etagOf(version: number): string {
  return `"${version}"`
}

/** Parses If-Match or If-None-Match; adds a violation to `errors` if it is malformed. */
export function tagCondition(
  name: string,
  value: string | undefined,
  errors: LocatedViolation[],
): TagCondition | undefined {
  if (value === undefined) return undefined
  const condition = parseTags(value)
  if (condition.type === 'malformed') {
    errors.push(malformedHeader(name, 'Give * or a list of entity tags in double quotes, for example "3".'))
  }
  return condition
}

/** The violation for a malformed header. */
export function malformedHeader(name: string, hint: string): LocatedViolation {
  return {
    in: 'header',
    pointer: `/${name}`,
    code: 'malformed_header' satisfies ViolationCode,
    message: `Not a valid ${name}. ${hint}`,
  }
}

/** Parses the value of If-Match or If-None-Match. */
export function parseTags(header: string): TagCondition {
  if (header.trim() === '*') return { type: 'any' }
  const tags: EntityTag[] = []
  let rest = header
  while (true) {
    const match = ELEMENT.exec(rest)
    if (!match) return { type: 'malformed' }
    if (match[2] !== undefined) tags.push({ weak: match[1] !== undefined, value: match[2] })
    rest = rest.slice(match[0].length)
    if (rest === '') break
  }
  return tags.length > 0 ? { type: 'tags', tags } : { type: 'malformed' }
}

/** The versions that an If-Match allows, by strong comparison: weak tags and foreign ones match none. */
export function matchingVersions(tags: readonly EntityTag[]): number[] {
  return tags.filter((tag) => !tag.weak && VERSION.test(tag.value)).map((tag) => Number(tag.value))
}

/** Whether an If-None-Match names the tag with this value, by weak comparison. */
export function namesTag(condition: TagCondition, value: string): boolean {
  if (condition.type === 'any') return true
  return condition.type === 'tags' && condition.tags.some((tag) => tag.value === value)
}

/** One element of the list, possibly empty, up to the comma or the end. */
const ELEMENT = /^[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/
const VERSION = /^(0|[1-9][0-9]{0,14})$/
