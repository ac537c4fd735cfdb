import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { CommandLine } from '../cluster/command-line.ts'
import type { Client } from './client.ts'
import { newClosing } from './closings.ts'
import { CLOSED_AT_TIMES, ENDS, NO_BUSINESS } from './values.ts'

interface Commands {
  readonly mint: CommandLine
  /** The folder for files to import. */
  readonly folder: string
}

/** Between two commands, in milliseconds. */
const PAUSES = [500, 4_000] as const

/** Runs one command after another, as an operator of Mint does, until `signal` is aborted. */
export async function giveCommands(client: Client, commands: Commands, signal: AbortSignal): Promise<void> {
  const { random } = client
  while (!signal.aborted) {
    await random.pick([setByCommand, setByCommand, checkImport, replay, verify])(client, commands)
    await pause(random.between(...PAUSES), undefined, { signal }).catch(() => undefined)
  }
}

/** Closes or reopens the books through the command line. */
async function setByCommand(client: Client, { mint }: Commands): Promise<void> {
  const { now, known, random } = client
  const asked = newClosing(client, random.pick(ENDS))
  const call = now()
  const words = ['set', asked.closedThrough ?? 'none', '--reason', asked.reason]
  const { exitCode, output } = await mint('closing', ...words, '--json')
  const times = { call, return: now(), gateway: COMMAND_LINE, status: exitCode === 0 ? '200' : 'broken' }
  if (exitCode !== 0) return client.record({ type: 'set-closing', ...times, outcome: 'unknown', asked })
  const { version } = JSON.parse(output)
  client.record({ type: 'set-closing', ...times, outcome: 'ok', asked, version })
  known.closing = { ...asked, version }
}

/** No gateway: the command line reads directly from MongoDB. */
const COMMAND_LINE = -1

/** None of its rows may exist at the end. */
async function checkImport(client: Client, { mint, folder }: Commands): Promise<void> {
  const file = join(folder, 'import.csv')
  const rows = CLOSED_AT_TIMES.map((date) => `${NO_BUSINESS},${client.newWord('i')},plain,150,${date}`)
  writeFileSync(file, ['clientId,serviceName,serviceType,serviceFee,serviceDate', ...rows, ''].join('\n'))
  await given(client, mint, 'import-csv', 'contracts', file, '--dry-run')
}

const replay = (client: Client, { mint }: Commands): Promise<void> => given(client, mint, 'relay', 'replay')

const verify = (client: Client, { mint }: Commands): Promise<void> => given(client, mint, 'verify')

async function given({ now, record }: Client, mint: CommandLine, ...words: readonly string[]): Promise<void> {
  const call = now()
  const { exitCode, output } = await mint(...words)
  const name = `mint ${words.slice(0, 2).join(' ')}`
  record({ type: 'command', call, return: now(), gateway: COMMAND_LINE, status: `${exitCode}`, name, output })
}
