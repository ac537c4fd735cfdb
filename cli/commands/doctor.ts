import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import type { Finding } from '../doctor/finding.ts'
import { CommandFailure, EXIT } from '../exit.ts'
import { writeItems } from '../output/write.ts'
import { addCommand, addExample, JSON_LINES, type JsonOption } from './add-command.ts'

/** `cli/mint doctor`. */
export function addDoctor(mint: Command, cli: Cli): void {
  const command = addCommand(
    mint,
    'doctor',
    'check disk, clock, limits, engines, rights and certificates',
    'Uses the settings that Mint uses, and says what to do. Changes nothing; Mint may keep running. Exit code 3: there ' +
      'is a problem.',
  )
  addExample(command, '')
    .option(...JSON_LINES)
    .action(async ({ json }: JsonOption) => {
      let problems = 0
      const counted = async function* () {
        for await (const finding of findings(cli)) {
          if (finding.state === 'problem') problems += 1
          yield finding
        }
      }
      await writeItems(cli, counted(), { json, toLines })
      if (problems === 0) return
      const message = `${problems} ${problems === 1 ? 'problem' : 'problems'}: see “To do” above.`
      throw new CommandFailure(message, { exitCode: EXIT.differs })
    })
}

async function* findings({ environment }: Cli): AsyncGenerator<Finding> {
  const { readTargetConfig } = await import('../target/config.ts')
  const { gatewaySettings } = await import('../../gateway/config.ts')
  const { readSettings } = await import('../../shared/runtime/settings/read-settings.ts')
  const { grpcTlsFiles, grpcTlsSettings, restTlsFiles, restTlsSettings } = await import(
    '../../shared/runtime/settings/tls.ts'
  )
  const { checkCertificate, checkClock, checkDisk, checkFileLimit, checkPlace, checkRights } = await import(
    '../doctor/machine.ts'
  )
  const config = readTargetConfig(environment)
  const { MAX_CONNECTIONS } = gatewaySettings
  const settings = readSettings({ ...restTlsSettings, ...grpcTlsSettings, MAX_CONNECTIONS }, environment)
  const now = Date.now()
  const checked =
    config.type === 'folder'
      ? ({ setting: 'DATA_DIR', folder: config.folder } as const)
      : ({ setting: 'VIEWS_DIR', folder: config.viewsFolder } as const)
  yield checkDisk(checked)
  if (!existsSync(checked.folder)) yield checkPlace(checked)
  else {
    yield checkRights(checked)
    if (config.type === 'folder') yield checkClock(checked, now)
  }
  yield checkFileLimit(settings.MAX_CONNECTIONS)
  for (const files of [restTlsFiles(settings), grpcTlsFiles(settings)]) {
    if (files) yield await checkCertificate(files, now)
  }
  if (config.type === 'folder') return
  const { checkKafka, checkMongo } = await import('../doctor/engines.ts')
  yield* await checkMongo(config)
  yield* await checkKafka(config)
}

function toLines({ check, state, what, remedy }: Finding): readonly string[] {
  const begun = `${state.padEnd(8)} ${check}: ${what}`
  return [remedy === null ? begun : `${begun}. To do: ${remedy}.`]
}
