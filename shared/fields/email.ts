import { z } from 'zod'
import { typeMessage, violate, withoutAnchors } from './rule.ts'
import { checkLength } from './text.ts'

const MAX_LENGTH = 254
const EXPECTED = `a valid e-mail address of up to ${MAX_LENGTH} ASCII characters, for example info@example.com, or "" for none`

/**
 * What SMTP delivers without extensions (RFC 5321): a dot-string of up to 64 characters, and a domain of at least two
 * labels. Broader than zod's own pattern, which refuses `xn--` top-level domains and most punctuation. Both patterns are
 * published, so they have no flags and no lookahead, which other languages lack or run slowly.
 */
const ADDRESS =
  /^[A-Za-z0-9_!#$%&'*+/=?^`{|}~-]+(?:\.[A-Za-z0-9_!#$%&'*+/=?^`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{1,58}[A-Za-z0-9])$/
const LONG_LOCAL_PART = /^[^@]{65}/

const string = z.string({ error: typeMessage(EXPECTED) })

/** An e-mail address, or `""` for none. */
export const emailOrEmpty = checked(string)

/** An e-mail address as a filter: white space at both ends is ignored. */
export const emailFilter = checked(string.trim())

function checked(rule: z.ZodString) {
  return rule
    .meta({
      maxLength: MAX_LENGTH,
      pattern: `^(?:${withoutAnchors(ADDRESS)})?$`,
      not: { pattern: LONG_LOCAL_PART.source },
    })
    .superRefine((value, context) => {
      if (value === '') return
      checkLength(value, MAX_LENGTH, context)
      if (!isEmail(value)) {
        violate(context, 'invalid_email', `Not a valid e-mail address. Give ${EXPECTED}.`)
      }
    })
}

function isEmail(value: string): boolean {
  return value.length <= 2 * MAX_LENGTH && ADDRESS.test(value) && !LONG_LOCAL_PART.test(value)
}
