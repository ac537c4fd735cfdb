import assert from 'node:assert/strict'
import { breakableProxy } from '../../support/breakable-proxy.ts'
import { atEnd } from '../../support/cleanup.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { logLines } from '../../support/log-lines.ts'
import type { PartProcess } from '../../support/part-process.ts'
import { aNewContract } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

const REQUESTS = 300

describeOn(bothEngines(), 'The logs of separate processes in an outage', (mongoUrl) => {
  it('have only a few lines for hundreds of failed requests, with each stack trace once', async () => {
    const mint = await newSeparateMint(mongoUrl)
    const proxy = atEnd.close(await breakableProxy(new URL(mongoUrl).host))
    const throughProxy = `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`
    const [contracts, businesses] = [mint.start('contracts', { MONGO_URL: throughProxy }), mint.start('businesses')]
    await Promise.all([contracts.ready(), businesses.ready()])
    const gateway = mint.start('gateway')
    const call = await mint.callerOf(gateway)
    assert.equal((await call('POST', '/contracts', aNewContract())).status, 201)
    const before = [contracts, gateway].map((part) => part.log().length)

    proxy.hold()
    proxy.breakConnections()
    const requests = Array.from({ length: REQUESTS }, (_, index) =>
      index % 2 === 0 ? call('GET', '/contracts/1') : call('POST', '/contracts', aNewContract()),
    )
    const statuses = new Set((await Promise.all(requests)).map(({ status }) => status))
    assert.deepEqual(statuses, new Set([503]))
    const written = [contracts, gateway].map((part, index) => linesAfter(part, before[index] ?? 0))
    for (const lines of written) {
      assert.ok(lines.length > 0 && lines.length <= 10, lines.map(({ msg }) => msg).join('\n'))
      assert.ok(lines.filter(({ err }) => err !== undefined).length <= 4, JSON.stringify(lines))
    }

    proxy.release()
    await waitFor(async () => (await call('GET', '/contracts/1')).status === 200, { what: 'its end' })
    const last = await waitFor(() => linesAfter(gateway, before[1] ?? 0).find(({ msg }) => msg === END), {
      what: 'the last line',
    })
    assert.ok(Number(last.failed) >= REQUESTS, `${last.failed}`)
  }).timeout(120_000)
})

const END = 'no failure since the last count'

const linesAfter = (part: PartProcess, length: number) => logLines(part.log().slice(length))
