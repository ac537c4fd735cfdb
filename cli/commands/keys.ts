import { Argument, type Command, Option } from 'commander'
import type { z } from 'zod'
import type { issuedApiKeyShape } from '../../gateway/records/api-key-record.ts'
import { addListing, type Cli } from '../cli.ts'
import { addGroup } from './add-command.ts'
import { checkedInput } from './checked-input.ts'
import { type PartOption, partOption } from './maintenance.ts'
import { addRestCommands, graceOption, toRotation } from './rest-commands.ts'

/** A command about one key. */
const ofOne = {
  takes: [new Argument('<key>', 'its id or its name, as in `cli/mint keys list`')],
  ofOne: true,
  toLines,
} as const

/** `cli/mint keys create|list|rotate|revoke|rotate-signing`. */
export function addKeys(mint: Command, cli: Cli): void {
  const effect =
    'Changes reach every gateway within 5 seconds. Messages are signed with other keys, which `rotate-signing` replaces.'
  const keys = addGroup(mint, 'keys', 'create, list, rotate and revoke API keys', effect)
  addRestCommands(cli, keys, {
    create: {
      summary: 'create a key and show its secret, this once',
      takes: [new Argument('<name>', 'what it is for, up to 100 characters')],
      options: [
        new Option(
          '--scopes <list>',
          'what it may be used for, separated by commas; `all` for every scope',
        ).makeOptionMandatory(),
        new Option('--expires <when>', 'when it expires: 90d (also h, w) from now, or 2027-01-01T00:00:00Z'),
      ],
      example: 'Invoicing --scopes contracts:read,clients:read',
      operationIds: ['createApiKey'],
      body: toNewKey,
      toLines,
    },
    list: {
      summary: 'list every key, without secrets, newest first',
      more: 'Revoked and expired ones, too.',
      operationIds: ['listApiKeys'],
      many: 'apiKeys',
      toLines,
    },
    rotate: {
      ...ofOne,
      summary: 'give a key a new secret and show it, this once',
      more: 'The key keeps its id and its scopes.',
      options: [graceOption('how long earlier secrets stay valid')],
      example: 'Website --grace 3600',
      operationIds: ['rotateApiKey'],
      body: toRotation,
    },
    revoke: {
      ...ofOne,
      summary: 'revoke a key permanently',
      example: 'Website',
      operationIds: ['revokeApiKey', 'getApiKey'],
    },
  })
  addListing(cli, keys, 'rotate-signing', {
    summary: 'sign messages with new keys',
    more:
      'Messages signed with earlier keys stay valid unless those keys are revoked: from then on such messages are set ' +
      'aside when they are read, and every event is published again, signed with the new key.',
    options: [
      partOption('only the key of one service'),
      new Option('--revoke', 'revoke every earlier key, because one may have leaked').default(false),
    ],
    example: '--part businesses --revoke',
    operation: 'rotateSigning',
    input: (_words, { part, revoke }: PartOption & { readonly revoke: boolean }) => ({ part, revoke }),
    toLines: ({ part, current, former, revoked }) => [
      `${part}  signs with ${current}`,
      ...former.map((kid) => `  valid    ${kid}`),
      ...revoked.map((kid) => `  revoked  ${kid}`),
    ],
  })
}

interface NewKeyOptions {
  readonly scopes: string
  readonly expires?: string
}

async function toNewKey([name]: readonly string[], { scopes, expires }: NewKeyOptions): Promise<object> {
  const { newApiKey } = await import('../../gateway/records/api-key-record.ts')
  const { SCOPES } = await import('../../shared/api-keys/scopes.ts')
  const expiresAt = expires === undefined ? null : toExpiry(expires, Date.now())
  const given = { name, scopes: scopes === 'all' ? [...SCOPES] : scopes.split(/ *, */), expiresAt }
  const words = { name: '<name>', scopes: '--scopes', expiresAt: '--expires' }
  // What the command line accepts besides what a request may contain.
  const hints = { scopes: 'Or give `all`.', expiresAt: 'Or give how long from now: 90d (also h, w).' }
  return await checkedInput(newApiKey, given, words, hints)
}

/** A key as REST returns it; with its secret only if that was just created. */
type ListedKey = Omit<z.output<typeof issuedApiKeyShape>, 'key'> & { readonly key?: string }

function toLines(listed: ListedKey): readonly string[] {
  const { id, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt, key } = listed
  return [
    `${id}  ${name}`,
    ...(listed.kind === 'program' ? [] : [`  person   ${listed.principal}`]),
    `  scopes   ${scopes.join(', ')}`,
    `  created  ${createdAt}`,
    ...(expiresAt === null ? [] : [`  expires  ${expiresAt}`]),
    `  used     ${lastUsedAt ?? 'never'}`,
    ...(revokedAt === null ? [] : [`  revoked  ${revokedAt}`]),
    ...(key === undefined ? [] : [`  secret   ${key}  (shown this once: keep it)`]),
  ]
}

const HOUR = 60 * 60 * 1000
const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR }

/** Converts `90d` (days; also `h` and `w`) to the time that far from now, in RFC 3339; returns other texts unchanged. */
export function toExpiry(text: string, now: number): string {
  const [, count, unit = ''] = /^(\d{1,6})([hdw])$/.exec(text) ?? []
  const milliseconds = UNITS[unit]
  return milliseconds === undefined ? text : new Date(now + Number(count) * milliseconds).toISOString()
}
