import type { Command } from 'commander'
import { version } from '../../shared/runtime/this-process.ts'
import type { ProcessStatus } from '../admin/parts.ts'
import type { Status } from '../admin/status.ts'
import { type Cli, withData } from '../cli.ts'
import { counted } from '../output/counted.ts'
import { withBar } from '../output/progress-bar.ts'
import { writeLine, writeText } from '../output/write.ts'
import type { TargetConfig } from '../target/config.ts'
import { addCommand, addExample, JSON_VALUE, type JsonOption } from './add-command.ts'

/** `cli/mint status`. */
export function addStatus(mint: Command, cli: Cli): void {
  const queries = 'With MONGO_URL it queries MongoDB, with KAFKA_BROKERS also Kafka, and changes nothing there.'
  const command = addCommand(mint, 'status', 'show what runs where, and whether anything is behind', queries)
  addExample(command, '')
    .option(...JSON_VALUE)
    .action(async ({ json }: JsonOption) => {
      const { readTargetConfig } = await import('../target/config.ts')
      const config = readTargetConfig(cli.environment)
      const status = await statusOf(config, cli)
      const data = config.type === 'mongo' ? `NAMESPACE=${config.namespace} on MongoDB` : `DATA_DIR=${config.folder}`
      if (json) await writeLine(cli, JSON.stringify({ version, data, ...status }))
      else await writeText(cli, `${[`${data}, by mint ${version}`, ...toLines(status, config)].join('\n')}\n`)
    })
}

async function statusOf(config: TargetConfig, cli: Cli): Promise<Status> {
  if (config.type === 'mongo') return (await import('../target/mongo-status.ts')).mongoStatus(config)
  return await withData(cli, async (admin) => {
    for await (const status of withBar(cli, (report) => admin.run('status', {}, report))) return status
    throw new Error('the running Mint returned no status')
  })
}

function toLines(status: Status, { type }: TargetConfig): readonly string[] {
  const { processes, logs, relay, contractsRelay, unhandledMessages, deadLetters } = status
  const topic =
    unhandledMessages === null
      ? 'unknown (set KAFKA_BROKERS as for the services; Kafka must answer)'
      : `${counted(unhandledMessages, 'message')} not handled yet`
  return [
    '',
    'PROCESS     VERSION   WHERE',
    ...processLines(processes),
    '',
    // On MongoDB each process has its own views.
    `LOG         POSITION${type === 'mongo' ? '' : '  VIEWS, AND HOW MANY EVENTS EACH IS BEHIND'}`,
    ...logs.map(logLine),
    '',
    `Relay         ${relayLine(relay)}`,
    ...(contractsRelay ? [`  contracts   ${relayLine(contractsRelay)}`] : []),
    ...(type === 'mongo' ? [`Topic         ${topic}`] : []),
    ...(status.topicProblems ?? []).map((problem) => `              can lose messages: ${problem}`),
    ...(status.contractsTopicProblems ?? []).map((problem) => `  contracts   can lose messages: ${problem}`),
    `Set aside     ${counted(deadLetters, 'message')}`,
  ]
}

const relayLine = ({ isAtWork, behind }: Status['relay']): string =>
  `${isAtWork ? 'running' : 'not running'}, ${counted(behind, 'event')} behind`

function processLines(processes: readonly ProcessStatus[] | null): readonly string[] {
  if (processes === null) return ['unknown (this user may not ask MongoDB who is connected)']
  if (processes.length === 0) return ['none']
  return processes.flatMap(({ name, version, at, addresses = {} }) => [
    `${name.padEnd(12)}${(version ?? 'unknown').padEnd(10)}${at ?? 'unknown'}`,
    ...Object.entries(addresses).map(([what, address]) => `  ${what.padEnd(12)}${address}`),
  ])
}

function logLine({ part, position, isImportUnfinished, views }: Status['logs'][number]): string {
  const behind = views.map(({ view, behind }) => `${view} ${behind}`).join(', ')
  const begun = `${part.padEnd(12)}${String(position).padEnd(10)}`
  return begun + (isImportUnfinished ? 'holds only part of an import: run the same import again' : behind)
}
