import { z } from 'zod'
import { text } from '../../shared/fields/text.ts'
import { issuedApiKeyShape } from './api-key-record.ts'

const LONGEST = 8_000
const state = text({ min: 1, max: 200 })

/** What the browser brings back from the identity provider. */
export const newSignIn = z
  .strictObject({
    code: text({ min: 1, max: LONGEST }).meta({
      description: 'The parameter `code` of the address that it came back to.',
    }),
    state: state.meta({ description: 'The `state` that `GET /sign-in` answered, not the one in the address.' }),
    returnedState: text({ min: 1, max: LONGEST })
      .optional()
      .meta({ description: 'The parameter `state` of that address; checked if given.' }),
    iss: text({ min: 1, max: LONGEST })
      .optional()
      .meta({ description: 'The parameter `iss` of that address, if it has one.' }),
  })
  .meta({
    id: 'NewSignIn',
    examples: [{ code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'a-QNX0oZ8u', returnedState: 'mJ4pAV' }],
  })

/** Whether people can sign in, and where. */
export const signInShape = z
  .object({
    available: z.boolean().meta({ description: 'Whether people can sign in here, rather than only keys be used.' }),
    url: z
      .string()
      .nullable()
      .meta({ description: 'Where the browser goes to sign in; null if `available` is false.' }),
    state: z.string().nullable().meta({
      description:
        'What the browser keeps to itself until it comes back: only with it the code is worth a key. A secret; never part of an address.',
    }),
  })
  .meta({ id: 'SignIn', examples: [{ available: false, url: null, state: null }] })

/** The key of somebody who has signed in. */
export const signedInShape = issuedApiKeyShape
  .pick({ key: true, name: true, scopes: true })
  .extend({ expiresAt: z.iso.datetime().meta({ description: 'When the person must sign in again.' }) })
  .meta({ id: 'SignedIn' })
