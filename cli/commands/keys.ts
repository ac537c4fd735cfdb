import { type Command, InvalidArgumentError } from 'commander'
import type { z } from 'zod'
import type { issuedApiKeyShape } from '../../gateway/records/api-key-record.ts'
import { type Cli, list } from '../cli.ts'
import { checkedInput } from './checked-input.ts'
import { type PartOption, partOption } from './part-option.ts'

/** The argument that identifies a key. */
const ID_OR_NAME = ['<key>', 'its id or its name, as in `cli/mint keys list`'] as const

/** `cli/mint keys create|list|rotate|revoke|rotate-signing`. */
export function addKeys(mint: Command, cli: Cli): void {
  const keys = mint
    .command('keys')
    .summary('create, list, rotate and revoke API keys')
    .description(
      'Manages API keys, and the keys that messages are signed with. Changes of API keys reach every gateway within 5 seconds.',
    )
    .helpCommand(false)
  addCreate(keys, cli)
  const listing = keys
    .command('list')
    .summary('list every key, without secrets, newest first')
    .description('Lists every key, newest first, including revoked and expired ones. Secrets are not stored.')
  const input = () => ({ operationIds: ['listApiKeys'], many: 'apiKeys' })
  list(cli, listing, { operation: 'rest', example: 'keys list', input, toLines })
  addRotate(keys, cli)
  const revoke = keys
    .command('revoke')
    .summary('revoke a key permanently')
    .description('Revokes a key permanently.')
    .argument(...ID_OR_NAME)
  list(cli, revoke, {
    operation: 'rest',
    example: 'keys revoke Website',
    input: ([id = '']) => ({ operationIds: ['revokeApiKey', 'getApiKey'], path: { id } }),
    toLines,
  })
  addRotateSigning(keys, cli)
}

function addCreate(keys: Command, cli: Cli): void {
  const command = keys
    .command('create')
    .summary('create a key and show its secret, this once')
    .description('Creates a key and shows its secret, this once.')
    .argument('<name>', 'what it is for, up to 100 characters')
    .requiredOption('--scopes <list>', 'what it may be used for, separated by commas; `all` for every scope')
    .option('--expires <when>', 'when it expires: 90d (also h, w) from now, or 2027-01-01T00:00:00Z')
  list(cli, command, {
    operation: 'rest',
    example: 'keys create Invoicing --scopes contracts:read,clients:read',
    async input([name], { scopes, expires }: { scopes: string; expires?: string }) {
      const { newApiKey } = await import('../../gateway/records/api-key-record.ts')
      const { SCOPES } = await import('../../shared/api-keys/scopes.ts')
      const expiresAt = expires === undefined ? null : toExpiry(expires, Date.now())
      const given = { name, scopes: scopes === 'all' ? [...SCOPES] : scopes.split(/ *, */), expiresAt }
      return { operationIds: ['createApiKey'], body: await checkedInput(newApiKey, given, WORDS, HINTS) }
    },
    toLines,
  })
}

function addRotate(keys: Command, cli: Cli): void {
  const command = keys
    .command('rotate')
    .summary('give a key a new secret and show it, this once')
    .description('Gives a key a new secret and shows it, this once. The key keeps its id and its scopes.')
    .argument(...ID_OR_NAME)
    .option('--grace <seconds>', 'how long earlier secrets stay valid', toSeconds, 0)
  list(cli, command, {
    operation: 'rest',
    example: 'keys rotate Website --grace 3600',
    async input([id = ''], { grace }: { grace: number }) {
      const { rotation } = await import('../../gateway/records/api-key-record.ts')
      const body = await checkedInput(rotation, { graceSeconds: grace }, WORDS)
      return { operationIds: ['rotateApiKey'], path: { id }, body }
    },
    toLines,
  })
}

function addRotateSigning(keys: Command, cli: Cli): void {
  const command = keys
    .command('rotate-signing')
    .summary('sign messages with new keys')
    .description(
      'Creates a new signing key for each service. Messages signed with earlier keys stay valid unless those keys are ' +
        'revoked: from then on such messages are set aside when they are read, and every event is published again, ' +
        'signed with the new key.',
    )
    .addOption(partOption('only the key of one service'))
    .option('--revoke', 'revoke every earlier key, because one may have leaked', false)
  list(cli, command, {
    operation: 'rotateSigning',
    example: 'keys rotate-signing --part businesses --revoke',
    input: (_words, { part, revoke }: PartOption & { readonly revoke: boolean }) => ({ part, revoke }),
    toLines: ({ part, current, former, revoked }) => [
      `${part}  signs with ${current}`,
      ...former.map((kid) => `  valid    ${kid}`),
      ...revoked.map((kid) => `  revoked  ${kid}`),
    ],
  })
}

/** Whole seconds, as an option's value. */
export function toSeconds(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Give a whole number of seconds.')
  return Number(text)
}

/** What the schemas' fields are called on the command line. */
const WORDS = { name: '<name>', scopes: '--scopes', expiresAt: '--expires', graceSeconds: '--grace' }

/** What the command line accepts besides what a request may contain. */
const HINTS = { scopes: 'Or give `all`.', expiresAt: 'Or give how long from now: 90d (also h, w).' }

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
