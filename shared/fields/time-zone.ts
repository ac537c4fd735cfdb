import tzdata from 'tzdata' with { type: 'json' }
import { z } from 'zod'
import { UTC } from './local-date.ts'
import { typeMessage, violate, withoutAnchors } from './rule.ts'

const EXPECTED = 'an IANA name, for example Europe/Berlin, or "" for UTC'
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/

/**
 * IANA's names of zones and links, by their lower case. Intl also accepts offsets and surprising old abbreviations (its
 * BST is Bangladesh's).
 */
const NAMES = new Map(Object.keys(tzdata.zones).map((name) => [name.toLowerCase(), name]))

/** The IANA name of a time zone in any case. Results in IANA's spelling; `""` results in UTC. */
export const timeZoneOrEmpty = z
  .string({ error: typeMessage(EXPECTED) })
  .meta({ pattern: `^(?:${withoutAnchors(NAME)})?$` })
  .transform((value, context) => {
    if (value === '') return UTC
    const name = NAMES.get(value.toLowerCase())
    if (NAME.test(value) && name !== undefined && isTimeZone(name)) return name
    violate(context, 'invalid_time_zone', `Not a time zone. Give ${EXPECTED}.`)
    return z.NEVER
  })

/** Whether this runtime knows the time zone. */
export function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== undefined
  } catch {
    return false
  }
}
