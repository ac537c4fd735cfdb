import { z } from 'zod'
import { text } from '../../shared/fields/text.ts'
import { issuedApiKeyShape } from './api-key-record.ts'

const MAX_LENGTH = 8_000
const state = text({ min: 1, max: 200, expected: 'the `state` that `GET /sign-in` answered' })

/** What the browser brings back from the identity provider. */
export const newSignIn = z
  .strictObject({
    code: text({ min: 1, max: MAX_LENGTH, expected: 'the `code` of the address that the browser came back to' }).meta({
      description: 'The parameter `code` of the address that the browser came back to.',
    }),
    state: state.meta({ description: 'The `state` that `GET /sign-in` answered, not the one in the address.' }),
    returnedState: text({ min: 1, max: MAX_LENGTH })
      .optional()
      .meta({ description: 'The parameter `state` of that address; checked if given.' }),
    iss: text({ min: 1, max: MAX_LENGTH })
      .optional()
      .meta({ description: 'The parameter `iss` of that address, if it has one.' }),
  })
  .meta({
    id: 'SignInCompletion',
    examples: [{ code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'a-QNX0oZ8u', returnedState: 'mJ4pAV' }],
  })

/** Whether people can sign in, and where. */
export const signInShape = z
  .object({
    available: z.boolean().meta({ description: 'Whether people can sign in here; if not, there are only API keys.' }),
    url: z
      .string()
      .nullable()
      .meta({ description: 'Where the browser goes to sign in; null if `available` is false.' }),
    state: z.string().nullable().meta({
      description:
        'A secret that the browser keeps until it comes back: without it, the code can’t be exchanged for a key. Never part of an address.',
    }),
  })
  .meta({ id: 'SignIn', examples: [{ available: false, url: null, state: null }] })

/** The key of somebody who has signed in. */
export const signedInShape = issuedApiKeyShape
  .pick({ key: true, name: true, scopes: true })
  .extend({ expiresAt: z.iso.datetime().meta({ description: 'When the person must sign in again.' }) })
  .meta({ id: 'SignedIn' })
