import assert from 'node:assert/strict'
import { cleanup } from '../support/cleanup.ts'
import { describeOn, kafkaEngine, mongoEngine } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { aNewContract, type Rest, restClient } from '../support/rest.ts'
import { separateMint } from '../support/separate-processes.ts'
import { waitFor } from '../support/wait-for.ts'

const WRITERS = 64
const CLOSINGS = 8
const DATES = ['2026-01-15', '2026-02-15', '2026-03-15', '2026-04-15']
const ENDS = ['2026-01-31', '2026-02-28', '2026-03-31', null]

describeOn(mongoEngine(), 'Closings and writes through three processes that are killed', (mongoUrl) => {
  describeOn(kafkaEngine(), 'at the same time', (brokers) => {
    const atEnd = cleanup()

    it('end in a log in which no contract lies behind a closing that forbids it', async () => {
      const mint = await separateMint(mongoUrl, brokers)
      atEnd(() => mint.remove())
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
      /** What was acknowledged, and is not about to be opened again: what it forbids must fail from then on. */
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
      assert.ok(refused > 0 && written > 0, `${refused} refused, ${written} written`)
    }).timeout(120_000)
  })
})

/** A gateway that can't say what became of a write answers 503; no connection is lost by a service that is killed. */
async function send(call: Rest, method: string, path: string, body: object) {
  const answer = await call(method, path, body)
  assert.ok([200, 201, 409, 503].includes(answer.status), answer.text)
  return answer
}
