import { z } from 'zod'
import { typeMessage, violate } from './rule.ts'
import { checkLength } from './text.ts'

const MAX_LENGTH = 254
const EXPECTED = `a valid e-mail address of up to ${MAX_LENGTH} characters, or ""`

/** An e-mail address, or `""` for none. */
export const emailOrEmpty = z
  .string({ error: typeMessage(EXPECTED) })
  .meta({ maxLength: MAX_LENGTH })
  .superRefine((value, context) => {
    if (value === '') return
    checkLength(value, MAX_LENGTH, context)
    if (!isEmail(value)) {
      violate(context, 'invalid_email', `Not a valid e-mail address. Give ${EXPECTED}, for example info@example.com.`)
    }
  })

/**
 * What SMTP delivers without extensions (RFC 5321): a dot-string of up to 64 characters, and a domain of at least two
 * labels. Wider than zod's own pattern, which refuses `xn--` top-level domains and most punctuation.
 */
const ADDRESS =
  /^(?=.{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{1,58}[a-z\d])$/i

function isEmail(value: string): boolean {
  return value.length <= 2 * MAX_LENGTH && ADDRESS.test(value)
}
