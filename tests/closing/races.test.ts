import assert from 'node:assert/strict'
import type { ClosingFields } from '../../services/contracts/closing/events.ts'
import { CLOSING } from '../../services/contracts/closing/view.ts'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { bothEngines, describeOn } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { wholeLog } from '../support/jobs.ts'
import { aNewContract, type Rest, restClient } from '../support/rest.ts'
import { newSeparateMint } from '../support/separate-processes.ts'
import { waitFor } from '../support/wait-for.ts'

const WRITERS = 64
const CLOSINGS = 8
const DATES = ['2026-01-15', '2026-02-15', '2026-03-15', '2026-04-15']
const ENDS = ['2026-01-31', '2026-02-28', '2026-03-31', null]

describeOn(bothEngines(), 'Concurrent closings and writes through three processes that are killed', (mongoUrl) => {
  it('leave no contract in the log after a closing that forbids it', async () => {
    const mint = await newSeparateMint(mongoUrl)
    const ports = await Promise.all([freePort(), freePort(), freePort()])
    const start = (port: number) => mint.start('contracts', { CONTRACTS_PORT: `${port}` })
    const running = ports.map(start)
    mint.start('businesses')
    const gateway = mint.start('gateway', { CONTRACTS_ADDRESS: `ipv4:${ports.map((port) => `127.0.0.1:${port}`)}` })
    const owner = await mint.callerOf(gateway)
    await waitFor(async () => (await owner('GET', '/readyz')).status === 200, {
      timeout: 60_000,
      what: 'the services',
    })
    const scopes = ['contracts:read', 'contracts:write', 'closing:write']
    const { key } = (await owner('POST', '/api-keys', { name: 'Bookkeeping', scopes })).body
    const call = restClient({ url: `http://${await gateway.ready()}`, key })

    let isOver = false
    /** The acknowledged closing, unless it is about to be reopened: what it forbids must fail from then on. */
    let acknowledged: string | null = null
    let openings = 0
    const wrong: string[] = []
    let refused = 0
    let written = 0
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; !isOver; n++) {
        const serviceDate = DATES[(writer + n) % DATES.length] as string
        const [before, openedBefore] = [acknowledged as string | null, openings]
        const answer = await send(call, 'POST', '/contracts', aNewContract({ serviceDate }))
        if (answer.status === 409) refused++
        if (answer.status !== 201) continue
        written++
        if (before !== null && openings === openedBefore && serviceDate <= before) wrong.push(serviceDate)
      }
    })
    for (let n = 0; n < CLOSINGS; n++) {
      if (n % 4 === 2) {
        await running[n % 3]?.kill()
        running[n % 3] = start(ports[n % 3] as number)
      }
      const closedThrough = ENDS[n % ENDS.length] as string | null
      if (closedThrough === null) {
        acknowledged = null
        openings++
      }
      let status = 0
      while (status !== 200) {
        ;({ status } = await send(call, 'PUT', '/closing', { closedThrough, reason: `Closing ${n}.` }))
      }
      acknowledged = closedThrough
      const enough = written + refused + WRITERS
      await waitFor(() => written + refused >= enough, { timeout: 30_000, what: 'answers after a closing' })
    }
    isOver = true
    await Promise.all(writers)
    assert.deepEqual(wrong, [])
    assert.deepEqual(await forbiddenIn(mongoUrl, `${mint.namespace}_contracts`), [])
    assert.ok(refused > 0 && written > 0, `${refused} refused, ${written} written`)
  }).timeout(120_000)
})

/** The contracts that the log has after a closing that forbids them, whatever the answers were. */
async function forbiddenIn(url: string, name: string): Promise<string[]> {
  const database = await openMongoDatabase({ url, name, views: [] })
  const forbidden: string[] = []
  let closedThrough = ''
  for (const { stream, data } of await wholeLog(database)) {
    const { serviceDate } = data as { serviceDate?: string }
    if (stream.category === CLOSING.category) closedThrough = (data as ClosingFields).closedThrough ?? ''
    else if (serviceDate !== undefined && serviceDate <= closedThrough) forbidden.push(`${stream.id}: ${serviceDate}`)
  }
  await database.close()
  return forbidden
}

/** A gateway that doesn't know the outcome of a write answers 503; killing a service breaks no connection to it. */
async function send(call: Rest, method: string, path: string, body: object) {
  const answer = await call(method, path, body)
  assert.ok([200, 201, 409, 503].includes(answer.status), answer.text)
  return answer
}
