import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { atEnd } from '../support/cleanup.ts'
import { docker } from '../support/compose.ts'
import { newFolder } from '../support/temporary-folder.ts'

/** A container that is healthy while the setting says so. */
const ANY_PROCESS = {
  image: process.env.NODE_IMAGE || 'node:24-bookworm-slim',
  command: ['sleep', 'infinity'],
  init: true,
  scale: 1,
  network_mode: 'none',
  stop_grace_period: '1s',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: docker compose replaces it.
  environment: { STATE: '${STATE:-well}' },
  healthcheck: { test: ['CMD-SHELL', '[ $$STATE = well ]'], interval: '1s', timeout: '20s', start_period: '60s' },
}

describe('cli/upgrade-compose, run again after an interruption', () => {
  it('keeps the old process until the new one is healthy that the interrupted run has added', async () => {
    const file = join(newFolder(), 'compose.json')
    const [businesses, contracts, gateway] = Array(3).fill(ANY_PROCESS)
    writeFileSync(file, JSON.stringify({ services: { businesses, contracts, gateway } }))
    const settings = { COMPOSE_FILE: file, COMPOSE_PROJECT_NAME: `mint-test-${randomBytes(4).toString('hex')}` }
    const compose = (words: string, changed = {}) =>
      docker(['compose', ...words.split(' ')], { ...settings, ...changed })
    atEnd(() => compose('down --timeout 0'))
    await compose('up --wait')
    const before = await compose('ps --all --quiet')

    const ill = { STATE: 'ill' }
    await compose('up --detach --no-deps --no-recreate --scale businesses=2 businesses', ill)
    const upgrade = promisify(execFile)('cli/upgrade-compose', ['3'], { env: { ...process.env, ...settings, ...ill } })
    await assert.rejects(upgrade, /businesses: the new container did not become healthy/)
    assert.equal(await compose('ps --all --quiet'), before)
  })
})
