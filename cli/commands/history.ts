import { Argument, type Command } from 'commander'
import type { Change, HistoryKind } from '../admin/history.ts'
import { addListing, type Cli } from '../cli.ts'
import { kindsFor } from '../kinds.ts'

/** `mint history contract 7`. */
export async function addHistory(mint: Command, cli: Cli, words: readonly string[]): Promise<void> {
  const kinds: readonly HistoryKind[] = [...(await kindsFor('history', words)).map(({ one }) => one), 'key']
  addListing(cli, mint, 'history', {
    summary: 'show who changed what in a record, when and how',
    more: 'Oldest change first.',
    takes: [
      new Argument('<kind>').choices(kinds),
      new Argument('<id>', 'the number of a contract, the id of another record, or the id or name of a key'),
    ],
    example: 'contract 7',
    operation: 'history',
    input: ([kind, id = '']) => ({ kind: kind as HistoryKind, id }),
    toLines,
  })
}

/** A change, for people. */
export function toLines(change: Change): readonly string[] {
  const { version, type, at, by, byName, overrideReason, proposedBy, proposedByName, fields } = change
  const width = Math.max(0, ...fields.map(({ field }) => field.length))
  const changes = fields.map(({ field, from, to }) => {
    const change = version === 1 ? inWords(to) : `${inWords(from)} → ${inWords(to)}`
    return `     ${field.padEnd(width)}  ${change}`
  })
  const reason = overrideReason === null ? [] : [`     in a closed period: ${inWords(overrideReason)}`]
  const proposer = proposedBy === null ? [] : [`     proposed by ${named(proposedBy, proposedByName)}`]
  return [`${version}  ${at}  ${type}  by ${named(by, byName)}`, ...proposer, ...reason, ...changes, '']
}

const named = (id: string, name: string | null): string => (name === null ? id : `${name} (${id})`)

/** Numbers and plain words as they are; everything else as JSON, so that empty texts and line breaks show. */
function inWords(value: unknown): string {
  return typeof value === 'string' && /^[\p{L}\p{N}\p{P}\p{S}]+( [\p{L}\p{N}\p{P}\p{S}]+)*$/u.test(value)
    ? value
    : JSON.stringify(value)
}
