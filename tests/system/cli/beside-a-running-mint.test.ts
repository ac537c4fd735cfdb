import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { atEnd } from '../../support/cleanup.ts'
import { type CommandEnd, itemsOf, jsonLines, mint } from '../../support/command-line.ts'
import { fillFolder } from '../../support/filled-folder.ts'
import { type MintProcess, startMint } from '../../support/mint-process.ts'
import { aNewContract, restClient } from '../../support/rest.ts'
import { newFolder, temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const KEY = 'mint_the-key-of-the-command-line'

describe('The mint command next to a running Mint', () => {
  const folder = temporaryFolder()
  const socketFile = join(folder.path, 'admin.sock')
  let running: MintProcess

  before(async () => {
    await fillFolder(folder.path, { contracts: 300, businesses: 30 })
    running = await startMint({ dataFolder: folder.path, environment: { MINT_API_KEY: KEY } })
  })
  after(async () => {
    await running.kill()
    folder.remove()
  })

  const run = (...words: readonly string[]): Promise<CommandEnd> => mint(words, { DATA_DIR: folder.path })

  const items = (...words: readonly string[]) => itemsOf(words, { DATA_DIR: folder.path })

  it('shows who changed what and when, with the old and new values', async () => {
    const call = restClient(running)
    const before = Date.now()
    const { body } = await call('POST', '/contracts', aNewContract({ serviceFee: 19.99, taxPercent: 8.25 }))
    await call('PATCH', `/contracts/${body.id}`, { serviceFee: 25, notes: '' })
    const [created, edited, ...more] = await items('history', 'contract', String(body.id))
    assert.deepEqual([created?.version, created?.type, edited?.version, more], [1, 'ContractCreated.v1', 2, []])
    assert.ok(Date.parse(String(edited?.at)) >= before)
    assert.match(String(edited?.by), /^[0-9a-f-]{36}$/)
    const set = created?.fields as { field: string }[]
    const fields = Object.keys(body).filter((name) => set.some(({ field }) => field === name))
    assert.deepEqual(
      set.map(({ field }) => field),
      fields,
    )
    assert.deepEqual(edited?.fields, [
      { field: 'serviceFee', from: '19.99', to: '25' },
      { field: 'totalFeeWithTax', from: '21.639175', to: '27.0625' },
    ])
    const { output } = await run('history', 'contract', String(body.id))
    assert.match(output, /^2 {2}\S+Z {2}ContractEdited\.v1 {2}by configured \(\S+\)\n {5}serviceFee {7}19\.99 → 25$/m)
  })

  it('reports that a record doesn’t exist, and exits with 1', async () => {
    const { exitCode, output, errors } = await run('history', 'business', '01985b7e-3c5e-7a52-b1cf-6d1c3a1f0c55')
    assert.deepEqual([exitCode, output], [1, ''])
    assert.equal(errors, 'There is no business 01985b7e-3c5e-7a52-b1cf-6d1c3a1f0c55.\n')
  })

  it('creates, rotates and revokes keys with effect on the gateway, and shows their history without secrets', async () => {
    const [made] = await items('keys', 'create', 'Invoicing', '--scopes', 'contracts:read')
    const status = (key: unknown) => async () => {
      const answer = await restClient({ url: running.url, key: String(key) })('GET', '/contracts?limit=1')
      return answer.status
    }
    const comes = (key: unknown, wanted: number) =>
      waitFor(async () => (await status(key)()) === wanted, { what: `${wanted} for the key` })
    await comes(made?.key, 200)
    const [rotated] = await items('keys', 'rotate', String(made?.id))
    assert.deepEqual([rotated?.id, rotated?.name], [made?.id, 'Invoicing'])
    await comes(made?.key, 401)
    await comes(rotated?.key, 200)
    const [revoked] = await items('keys', 'revoke', String(made?.id))
    assert.ok(revoked?.revokedAt)
    await comes(rotated?.key, 401)
    const listed = await items('keys', 'list')
    assert.deepEqual(
      listed.map(({ id, key }) => [id, key]),
      [[made?.id, undefined]],
    )
    const { output } = await run('history', 'key', String(made?.id))
    assert.equal((await run('history', 'key', 'Invoicing')).output, output)
    assert.match(output, /ApiKeyCreated\.v1 {2}by cli[\s\S]*ApiKeyRotated\.v1[\s\S]*ApiKeyRevoked\.v1/)
    assert.match(output, new RegExp(`revokedAt +null → ${revoked?.revokedAt}`))
    assert.doesNotMatch(output, /mint_|[0-9a-f]{64}/)
    assert.equal((await run('keys', 'rotate', String(made?.id))).exitCode, 1)
  })

  it('accepts the name of a key if only one valid key has it', async () => {
    const create = (name: string) => items('keys', 'create', name, '--scopes', 'clients:read')
    const [first] = await create('Website')
    const [rotated] = await items('keys', 'rotate', 'Website')
    assert.deepEqual([rotated?.id, rotated?.key === first?.key], [first?.id, false])
    const [revoked] = await items('keys', 'revoke', 'Website')
    assert.deepEqual([revoked?.id, revoked?.revokedAt === null], [first?.id, false])
    const [second] = await create('Website')
    assert.equal((await items('keys', 'rotate', 'Website'))[0]?.id, second?.id)

    const [third] = await create('Website')
    const { exitCode, output, errors } = await run('keys', 'revoke', 'Website')
    assert.deepEqual([exitCode, output], [1, ''])
    assert.equal(
      errors,
      'Several API keys are named Website: use the id of one.\n' +
        `  ${third?.id}  created ${third?.createdAt}\n  ${second?.id}  created ${second?.createdAt}\n`,
    )
    for (const key of [second, third]) await items('keys', 'revoke', String(key?.id).toUpperCase())
    assert.equal(
      (await run('keys', 'revoke', 'Web')).errors,
      'There is no API key with the id or name Web: see `cli/mint keys list`.\n',
    )
    assert.match((await run('history', 'key', 'Web')).errors, /^There is no API key with the id or name Web: /)
  })

  it('creates a key that expires after a number of days', async () => {
    const [made] = await items('keys', 'create', 'For a quarter', '--scopes', 'clients:read', '--expires', '90d')
    const days = (Date.parse(String(made?.expiresAt)) - Date.parse(String(made?.createdAt))) / (24 * 60 * 60 * 1000)
    assert.ok(days > 89.9 && days < 90.1, String(days))
    const { exitCode, errors } = await run('keys', 'create', 'A', '--scopes', 'clients:read', '--expires', '90m')
    assert.deepEqual([exitCode, /^--expires: Not a timestamp/.test(errors)], [2, true])
    await items('keys', 'revoke', 'For a quarter')
  })

  it('escapes everything in names and texts that a terminal would interpret', async () => {
    const name = 'Red \u001b[31m\u009b2J \u202eknihT\u2028'
    const call = restClient(running)
    const made = await call('POST', '/contracts', aNewContract({ serviceName: name }))
    assert.equal(made.status, 201)
    const [key] = await items('keys', 'create', name, '--scopes', 'clients:read')
    assert.equal(key?.name, name)
    const outputs = [
      await run('keys', 'list'),
      await run('keys', 'list', '--json'),
      await run('history', 'contract', String(made.body.id)),
      await run('history', 'contract', String(made.body.id), '--json'),
      await run('keys', 'revoke', `no ${name}`),
      await run('history', 'contract', name),
      await run(name),
      await run('keys', 'revoke', name),
    ]
    for (const { output, errors } of outputs) {
      assert.match(output + errors, /Red \\u001b\[31m\\u009b2J \\u202eknihT\\u2028/)
      assert.doesNotMatch(output + errors, /[^\P{Cc}\n]|[\u202e\u2028]/u)
    }
  })

  it('rebuilds every view during writes, and verify then finds no difference', async () => {
    const call = restClient(running)
    let stop = false
    const write = async (): Promise<number> => {
      let written = 0
      for (; !stop; written++) {
        const { status, body } = await call('POST', '/contracts', aNewContract({ serviceName: 'Meanwhile' }))
        assert.equal(status, 201)
        assert.equal((await call('PATCH', `/contracts/${body.id}`, { notes: 'seen' })).status, 200)
      }
      return written
    }
    const writers = Promise.all([write(), write(), write()]).finally(() => (stop = true))
    const commands = async () => [await items('views', 'rebuild'), await items('verify')] as const
    const [rebuilt, [summary]] = await commands().finally(() => (stop = true))
    const written = (await writers).reduce((sum, one) => sum + one, 0)
    assert.deepEqual(
      rebuilt.map(({ view }) => view),
      ['businesses', 'contracts', 'clients', 'closings', 'firms', 'proposals', 'api_keys', 'webhooks'],
    )
    assert.equal(summary?.differences, 0)
    const found = await call('GET', '/contracts?search=meanwhile&limit=1')
    assert.equal(found.body.total, written)
    assert.equal((await run('verify')).exitCode, 0)
  })

  it('republishes every business event, without changing any Client', async () => {
    const call = restClient(running)
    const before = await call('GET', '/clients?limit=100')
    assert.deepEqual(await items('relay', 'replay'), [{ part: 'businesses', events: 30, published: true }])
    assert.deepEqual((await call('GET', '/clients?limit=100')).body, before.body)
    assert.deepEqual(await items('dead-letters', 'list'), [])
  })

  it('exports without stopping Mint, to a file that imports completely', async () => {
    const target = newFolder()
    const file = join(target, 'mint.ndjson')
    const [exported] = await items('export', file)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const environment = { DATA_DIR: join(target, 'data') }
    const { exitCode, output } = await mint(['import', file, '--json'], environment)
    assert.deepEqual([exitCode, jsonLines(output)], [0, [{ events: exported?.events, alreadyThere: 0 }]])
    assert.equal((await mint(['verify'], environment)).exitCode, 0)
    const refused = await run('import', file)
    assert.deepEqual([refused.exitCode, refused.errors.includes('stop it, or choose another folder')], [1, true])
  })

  it('still works after other callers have sent garbage, and were just refused or disconnected', async () => {
    for (const request of ['POST / HTTP/1.1\r\n\r\n', '', '{"operation":', 'x'.repeat(2_000_000)]) {
      const socket = connect(socketFile)
      socket.end(request)
      const { type, exitCode } = JSON.parse(await text(socket))
      assert.deepEqual([type, exitCode], ['failure', 1])
    }
    const leaving = connect(socketFile)
    leaving.end(JSON.stringify({ operation: 'verify', input: {} }))
    await once(leaving, 'data')
    leaving.destroy()
    const copies = () => readdirSync(folder.path).filter((name) => name.includes('-copy-'))
    await waitFor(() => copies().length === 0, { what: 'the copies of views to be removed' })
    assert.equal((await run('keys', 'list')).exitCode, 0)
    assert.equal(running.errors(), '')
  })

  it('explains what to do if Mint can’t be reached', async () => {
    const moved = `${socketFile}.moved`
    renameSync(socketFile, moved)
    atEnd(() => {
      rmSync(socketFile, { recursive: true })
      renameSync(moved, socketFile)
    })
    mkdirSync(socketFile)
    for (const words of [
      ['keys', 'list'],
      ['fork', newFolder()],
    ]) {
      const { exitCode, errors } = await run(...words)
      assert.equal(exitCode, 1)
      assert.match(errors, /^Mint is running on \S+, but can't be reached .*: run this command as the user that/)
    }
  })

  it('works on its own after Mint was killed or stopped, whatever it left behind', async () => {
    await running.kill()
    assert.ok(existsSync(socketFile))
    assert.equal((await run('verify')).exitCode, 0)
    assert.ok(!existsSync(socketFile))
    const replayed = await items('relay', 'replay')
    assert.deepEqual(replayed, [{ part: 'businesses', events: 30, published: false }])
    running = await startMint({ dataFolder: folder.path, environment: { MINT_API_KEY: KEY } })
    assert.equal((await run('keys', 'list')).exitCode, 0)
    running.signal('SIGTERM')
    await running.ended
    assert.ok(!existsSync(socketFile))
  })
})
