import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { assertNone } from '../../support/assert-none.ts'
import { type MintProcess, runMint, startMint } from '../../support/mint-process.ts'
import { restClient } from '../../support/rest.ts'
import { newFolder, temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

interface Contract {
  readonly id: number
  readonly clientId: string
  readonly serviceType: string
  readonly taxPercent: number
  readonly serviceDate: string
  readonly createdAt: string
  readonly updatedAt: string
}

interface Business {
  readonly clientId: string
  readonly legalName: string
  readonly operatedAs: string
  readonly incorporationDate: string
  readonly createdAt: string
}

const PAGE = 100
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

describe('The demo firm of npm start -- --demo', () => {
  const folder = temporaryFolder()
  const environment = { REQUIRE_KNOWN_CLIENT: 'true' }
  const options = { dataFolder: folder.path, arguments: ['--demo'], environment, patience: 50_000 }
  let mint: MintProcess
  let contracts: readonly Contract[]
  let businesses: readonly Business[]

  before(async function () {
    this.timeout(90_000)
    mint = await startMint(options)
    contracts = await all<Contract>('contracts')
    businesses = await all<Business>('businesses')
  })
  after(async () => {
    await mint?.kill()
    folder.remove()
  })

  it('has three years of records', async () => {
    assert.deepEqual([contracts.length, businesses.length], [5000, 200])
    await waitFor(async () => (await get('/clients?limit=1')).total === 200, { what: '200 clients' })
    const [newest, oldest] = [contracts[0], contracts.at(-1)]
    const years = (Date.now() - Date.parse(oldest?.createdAt ?? '')) / (365 * DAY_MILLISECONDS)
    assert.ok(years > 2.9 && years < 3.1, oldest?.createdAt)
    assert.equal(oldest?.serviceDate.slice(0, 10), oldest?.createdAt.slice(0, 10))
    // On a Monday the last working day is Friday.
    assert.ok(Date.now() - Date.parse(newest?.createdAt ?? '') < 4 * DAY_MILLISECONDS)
  })

  it('has a firm with a currency and a time zone, from before its first contract', async () => {
    const firm = await get('/firm')
    assert.deepEqual([firm.name, firm.currency, firm.timeZone], ['Harbour Street Accounting', 'CAD', 'America/Halifax'])
    assert.ok(firm.updatedAt < (contracts.at(-1)?.createdAt ?? ''))
    assert.equal((await get('/firm/history')).total, 1)
  })

  it('charges each client a single tax rate, but not all of them the same one', () => {
    const rates = new Map<string, Set<number>>()
    for (const { clientId, taxPercent } of contracts) {
      rates.set(clientId, (rates.get(clientId) ?? new Set()).add(taxPercent))
    }
    assert.deepEqual([...new Set([...rates.values()].map(({ size }) => size))], [1])
    assert.ok(new Set([...rates.values()].flatMap((one) => [...one])).size >= 4)
  })

  it('has a busy season from January to April, mostly for taxes', () => {
    const monthly = Array.from({ length: 12 }, (_, month) => contracts.filter((one) => monthOf(one) === month).length)
    const [season, rest] = [monthly.slice(0, 4), monthly.slice(4)]
    assert.ok(Math.min(...season) > 1.3 * Math.max(...rest), monthly.join())
    const taxes = (inSeason: boolean): number => {
      const those = contracts.filter((one) => monthOf(one) < 4 === inSeason)
      return those.filter(({ serviceType }) => serviceType === 'tax-filing').length / those.length
    }
    assert.ok(taxes(true) > 0.4 && taxes(false) < 0.3, `${taxes(true)} ${taxes(false)}`)
  })

  it('works on weekdays only', () => {
    const days = [...contracts, ...businesses].flatMap((record) =>
      [record.createdAt, 'serviceDate' in record ? record.serviceDate : record.createdAt].map((text) =>
        new Date(text).getUTCDay(),
      ),
    )
    assert.deepEqual([...new Set(days)].sort(), [1, 2, 3, 4, 5])
  })

  it('records nothing before it happened, and nothing in the future', () => {
    const now = Date.now()
    const since = new Map(businesses.map(({ clientId, createdAt }) => [clientId, createdAt]))
    const wrong = contracts.filter(
      ({ clientId, serviceDate, createdAt, updatedAt }) =>
        !(Date.parse(serviceDate) <= Date.parse(createdAt)) ||
        !(createdAt <= updatedAt && Date.parse(updatedAt) <= now) ||
        !((since.get(clientId) ?? '9') <= createdAt),
    )
    assert.deepEqual(wrong, [])
    const early = businesses.filter(({ incorporationDate, createdAt }) => !(incorporationDate < createdAt))
    assert.deepEqual(early, [])
  })

  it('gives each business a unique name without digits', () => {
    for (const names of [businesses.map((one) => one.legalName), businesses.map((one) => one.operatedAs)]) {
      assert.equal(new Set(names).size, 200)
      assertNone(names.filter((name) => /\d/.test(name)))
    }
  })

  it('has sums for every month, most clients and all service types, so that charts have something to show', async () => {
    const report = await get('/reports/contracts?groupBy=month&limit=1000')
    const months = report.rows.map(({ month }: { month: string }) => month)
    const last = contracts.map(({ serviceDate }) => serviceDate.slice(0, 7)).sort()
    assert.deepEqual([months[0], months.at(-1)], [last[0], last.at(-1)])
    assert.ok(months.length >= 36 && months.length <= 37, months.join())
    assert.equal(new Set(months).size, months.length)
    const [clients, types] = [await total('clientId'), await total('serviceType')]
    assert.ok(clients > 150 && types === 6, `${clients} ${types}`)
    assert.equal(report.sums.count, contracts.length)
  })

  it('has closed months, each with a reason, and later corrections by the actor who closed them', async () => {
    const { closedThrough, at, reason, by } = await get('/closing')
    const history = await get('/closing/history?limit=100')
    assert.ok(history.total >= 35 && history.total <= 37, `${history.total}`)
    // The last day of a month, closed after its end.
    assert.equal(new Date(Date.parse(closedThrough) + DAY_MILLISECONDS).getUTCDate(), 1)
    assert.ok(closedThrough < at && /^[A-Z][a-z]+ \d{4} is filed\.$/.test(reason), `${closedThrough} ${at} ${reason}`)
    const { changes } = await get(`/reports/contracts/changes?since=${at}&serviceDateTo=${closedThrough}`)
    assert.ok(changes.length >= 1 && changes.length <= 3, `${changes.length}`)
    assert.deepEqual(
      changes.filter(
        (one: { by: string; before: object; after: object }) => one.by !== by || !one.before || !one.after,
      ),
      [],
    )
    const { events } = await get(`/contracts/${changes[0].contractId}/history`)
    assert.equal(events.at(-1).overrideReason, 'Hours were missing.')
  })

  it('provides the client in the curl line to paste, which works even if clients must be known', async () => {
    const line = /^.*curl.*$/m.exec(mint.output())?.[0] ?? ''
    const { stdout } = await promisify(execFile)('sh', ['-c', line])
    const { id, clientId } = JSON.parse(stdout)
    // Not necessarily 5001: numbers may have gaps.
    assert.ok(id > Math.max(...contracts.map((contract) => contract.id)), `${id}`)
    assert.equal((await get('/contracts?limit=1')).total, 5001)
    assert.ok(businesses.some((business) => business.clientId === clientId))
  })

  it('can’t be used if it was interrupted, by SIGINT or kill -9: nobody mistakes a part of it for the whole', async () => {
    assert.deepEqual([await exitCodeOfDemo('SIGINT'), await exitCodeOfDemo('SIGKILL')], [130, null])
  }).timeout(60_000)

  it('is created only in an empty folder', async () => {
    const { key } = mint
    mint.signal('SIGTERM')
    await mint.ended
    mint = await startMint(options)
    assert.match(mint.output(), /already holds data/)
    assert.equal((await restClient({ url: mint.url, key })('GET', '/contracts?limit=1')).body.total, 5001)
  })

  // biome-ignore lint/suspicious/noExplicitAny: any answer of the API
  async function get(path: string): Promise<any> {
    return (await restClient(mint)('GET', path)).body
  }

  const total = async (groupBy: string): Promise<number> => (await get(`/reports/contracts?groupBy=${groupBy}`)).total

  async function all<Kept>(kind: 'contracts' | 'businesses'): Promise<readonly Kept[]> {
    const call = restClient(mint)
    const { total } = (await call('GET', `/${kind}?limit=1`)).body
    const offsets = Array.from({ length: Math.ceil(total / PAGE) }, (_, page) => page * PAGE)
    const pages = await Promise.all(offsets.map((offset) => call('GET', `/${kind}?limit=${PAGE}&offset=${offset}`)))
    return pages.flatMap(({ body }) => body[kind])
  }
})

/** January is 0. */
const monthOf = ({ serviceDate }: Contract): number => new Date(serviceDate).getUTCMonth()

/** Interrupts a demo while it is being created. No start may then use the unfinished data. */
async function exitCodeOfDemo(signal: 'SIGINT' | 'SIGKILL'): Promise<number | null> {
  const dataFolder = newFolder()
  const options = { dataFolder, arguments: ['--demo'] }
  const begun = Date.now()
  const interrupted = runMint(options)
  const log = join(dataFolder, 'contracts.db-wal')
  const hasBegun = () => {
    const file = statSync(log, { throwIfNoEntry: false })
    return file !== undefined && file.size > 2 ** 20 && file.mtimeMs > begun
  }
  const begins = waitFor(hasBegun, { every: 5, what: 'the demo to begin' })
  await begins.finally(() => interrupted.signal(signal))
  const { exitCode, output } = await interrupted.ended
  assert.doesNotMatch(output, /ready on/)
  for (const again of [{ dataFolder }, options]) {
    const refused = await runMint(again).ended
    assert.equal(refused.exitCode, 1)
    assert.match(refused.errors, /^Mint can't start: DATA_DIR=.* is a demo that was interrupted: use another one\.\n$/)
  }
  return exitCode
}
