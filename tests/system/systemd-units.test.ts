import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeOn, type Engine } from '../support/engines.ts'
import { fillFolder } from '../support/filled-folder.ts'
import { startedMint, withoutSettings } from '../support/mint-process.ts'
import { aNewContract, restClient } from '../support/rest.ts'
import { newFolder } from '../support/temporary-folder.ts'

/** Lower is safer: systemd rates up to 2.4 (24 here) as safe, and a unit without hardening as 9.6. */
const MAX_EXPOSURE = 25

describeOn(systemdAnalyze(), 'The documented systemd units', (analyze) => {
  it('are valid to the last line, and confine Mint to what it needs', () => {
    const folder = newFolder()
    const units = readdirSync('docs/examples').filter((name) => /\.(service|timer)$/.test(name))
    assert.deepEqual(units.sort(), ['mint-backup.service', 'mint-backup.timer', 'mint.service'])
    // Points the units to the programs of this tree.
    const here = (unit: string): string =>
      readFileSync(`docs/examples/${unit}`, 'utf8').replaceAll('/opt/mint', process.cwd())
    for (const unit of units) writeFileSync(join(folder, unit), here(unit))
    const paths = units.map((unit) => join(folder, unit))
    const verified = spawnSync(analyze, ['verify', ...paths], { encoding: 'utf8' })
    assert.deepEqual([verified.status, verified.stdout + verified.stderr], [0, ''])
    for (const service of paths.filter((path) => path.endsWith('.service'))) {
      const words = ['security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, service]
      assert.equal(spawnSync(analyze, words).status, 0, service)
    }
  })
})

describe('The documented backup script', () => {
  it('backs up a running Mint, removes all but the newest backups, and leaves backups that Mint can start from', async () => {
    const [data, backups] = [newFolder(), newFolder()]
    const mint = await startedMint({ dataFolder: data })
    const older = ['mint-2026-01-01T00-00-00Z', 'mint-2026-01-02T00-00-00Z', 'partial-1']
    for (const name of older) execFileSync('mkdir', [join(backups, name)])
    const created = await restClient(mint)('POST', '/contracts', aNewContract())
    const environment = { ...withoutSettings(), MINT_HOME: process.cwd(), DATA_DIR: data }
    execFileSync('sh', ['docs/examples/mint-backup', backups, '2'], { env: environment, stdio: 'pipe' })

    const [kept, newest = ''] = readdirSync(backups).sort()
    assert.deepEqual([readdirSync(backups).length, kept], [2, older[1]])
    const restored = await startedMint({ dataFolder: join(backups, newest) })
    const { body } = await restClient({ url: restored.url, key: mint.key })('GET', '/contracts/1')
    assert.deepEqual(body, created.body)
  })

  it('keeps a backup that a Mint runs on since a restore, however old it is', async () => {
    const [backups, restored] = [newFolder(), 'mint-2026-01-01T00-00-00Z']
    const data = join(backups, restored)
    await startedMint({ dataFolder: data })
    const environment = { ...withoutSettings(), MINT_HOME: process.cwd(), DATA_DIR: data }
    execFileSync('sh', ['docs/examples/mint-backup', backups, '1'], { env: environment, stdio: 'pipe' })
    assert.deepEqual([readdirSync(backups).length, existsSync(join(data, 'contracts.db'))], [2, true])
  })

  it('keeps the backup that it has just made, although the clock was set back since the others', async () => {
    const [data, backups] = [newFolder(), newFolder()]
    await fillFolder(data, { contracts: 1, businesses: 1 })
    const later = ['mint-2998-01-01T00-00-00Z', 'mint-2999-01-01T00-00-00Z']
    for (const name of later) execFileSync('mkdir', [join(backups, name)])
    const environment = { ...withoutSettings(), MINT_HOME: process.cwd(), DATA_DIR: data }
    execFileSync('sh', ['docs/examples/mint-backup', backups, '2'], { env: environment, stdio: 'pipe' })
    const [made = '', ...others] = readdirSync(backups).sort()
    assert.deepEqual([existsSync(join(backups, made, 'contracts.db')), others], [true, [later[1]]])
  })
})

function systemdAnalyze(): Engine {
  const found = spawnSync('sh', ['-c', 'command -v systemd-analyze'], { encoding: 'utf8' })
  return found.status === 0 ? { url: found.stdout.trim() } : { missing: 'no systemd-analyze' }
}
