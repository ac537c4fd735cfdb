import { z } from 'zod'
import { UTC } from './local-date.ts'
import { typeMessage, violate } from './rule.ts'

const EXPECTED = 'an IANA name, for example Europe/Berlin, or "" for UTC'
/** Intl takes offsets, too, which are no names. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/

/** The IANA name of a time zone; `""` comes out as UTC. */
export const timeZoneOrEmpty = z
  .string({ error: typeMessage(EXPECTED) })
  .meta({ anyOf: [{ const: '' }, { type: 'string', pattern: NAME.source }] })
  .transform((value, context) => {
    if (value === '') return UTC
    if (NAME.test(value) && isKnown(value)) return value
    violate(context, 'invalid_time_zone', `Not a time zone. Give ${EXPECTED}.`)
    return z.NEVER
  })

function isKnown(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== undefined
  } catch {
    return false
  }
}
