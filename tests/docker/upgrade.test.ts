import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { atEnd } from '../support/cleanup.ts'
import { docker } from '../support/compose.ts'
import { newFolder } from '../support/temporary-folder.ts'

const CONTAINER = { image: process.env.NODE_IMAGE || 'node:24-bookworm-slim', network_mode: 'none' }

/** A container that is healthy while the setting says so. */
const ANY_PROCESS = {
  ...CONTAINER,
  command: ['sleep', 'infinity'],
  init: true,
  scale: 1,
  stop_grace_period: '1s',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: docker compose replaces it.
  environment: { STATE: '${STATE:-well}' },
  healthcheck: { test: ['CMD-SHELL', '[ $$STATE = well ]'], interval: '1s', timeout: '20s', start_period: '60s' },
}

/** The services that an upgrade replaces or mentions. */
const PROCESSES = ['businesses', 'contracts', 'gateway', 'mongo', 'kafka'] as const

describe('cli/upgrade-compose', () => {
  it('keeps the old process until the new one is healthy that an interrupted run has added', async () => {
    const { compose, upgrade } = await composed(ANY_PROCESS)
    const before = await compose('ps --all --quiet')

    const ill = { STATE: 'ill' }
    await compose('up --detach --no-deps --no-recreate --scale businesses=2 businesses', ill)
    await assert.rejects(upgrade(ill), /businesses: the new container did not become healthy/)
    assert.equal(await compose('ps --all --quiet'), before)
  })

  it('makes what is new for the processes before it replaces them, and says that the engines are not touched', async () => {
    const test = ['CMD-SHELL', '[ $$STATE = well ] || [ -e /made/kafka-setup ]']
    const { compose, upgrade } = await composed({
      ...ANY_PROCESS,
      healthcheck: { ...ANY_PROCESS.healthcheck, test },
      volumes: ['made:/made:ro'],
    })
    const engines = await compose('ps --quiet mongo kafka')

    const { stdout } = await upgrade({ STATE: 'newer', MINT_API_KEY: 'mint_of-whoever-upgrades' })
    assert.match(stdout, /^mongo: .*`docker compose up` restarts it.*\nkafka: .*$/m)
    assert.equal(await compose('ps --quiet mongo kafka'), engines)
    assert.equal(await compose('exec -T gateway cat /made/kafka-setup'), 'no key')
  })
})

/** Mint running, with the same container for all processes; what sets things up only leaves a file on a volume. */
async function composed(process: object) {
  const setUp = {
    ...CONTAINER,
    volumes: ['made:/made'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: docker compose replaces it.
    environment: { MINT_API_KEY: '${MINT_API_KEY:-}' },
  }
  const step = (needed: string, made: string) => ({
    ...setUp,
    command: ['sh', '-c', `[ -e /made/${needed} ] && echo "$\${MINT_API_KEY:-no key}" > /made/${made}`],
  })
  const services = {
    secrets: step('', 'secrets'),
    'mongo-setup': step('secrets', 'mongo-setup'),
    'kafka-setup': step('mongo-setup', 'kafka-setup'),
    ...Object.fromEntries(PROCESSES.map((name) => [name, process])),
  }
  const file = join(newFolder(), 'compose.json')
  writeFileSync(file, JSON.stringify({ services, volumes: { made: {} } }))
  const settings = { COMPOSE_FILE: file, COMPOSE_PROJECT_NAME: `mint-test-${randomBytes(4).toString('hex')}` }
  const compose = (words: string, changed = {}) => docker(['compose', ...words.split(' ')], { ...settings, ...changed })
  atEnd(() => compose('down --volumes --timeout 0'))
  await compose(`up --wait ${PROCESSES.join(' ')}`)
  const upgrade = (changed: Readonly<Record<string, string>>) =>
    promisify(execFile)('cli/upgrade-compose', ['3'], { env: { ...globalThis.process.env, ...settings, ...changed } })
  return { compose, upgrade }
}
