import tzdata from 'tzdata' with { type: 'json' }
import { z } from 'zod'
import { UTC } from './local-date.ts'
import { typeMessage, violate } from './rule.ts'

const EXPECTED = 'an IANA name, for example Europe/Berlin, or "" for UTC'
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/

/**
 * IANA's names of zones and links, by the same in small letters. Intl takes others, too: offsets, and old abbreviations
 * that surprise (its BST is that of Bangladesh).
 */
const NAMES = new Map(Object.keys(tzdata.zones).map((name) => [name.toLowerCase(), name]))

/** The IANA name of a time zone, in its own spelling whatever the case; `""` comes out as UTC. */
export const timeZoneOrEmpty = z
  .string({ error: typeMessage(EXPECTED) })
  .meta({ anyOf: [{ const: '' }, { type: 'string', pattern: NAME.source }] })
  .transform((value, context) => {
    if (value === '') return UTC
    const name = NAMES.get(value.toLowerCase())
    if (NAME.test(value) && name !== undefined && isTimeZone(name)) return name
    violate(context, 'invalid_time_zone', `Not a time zone. Give ${EXPECTED}.`)
    return z.NEVER
  })

/** Whether dates can be given in it. */
export function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== undefined
  } catch {
    return false
  }
}
