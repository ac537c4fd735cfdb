import assert from 'node:assert/strict'
import { atEnd } from '../../support/cleanup.ts'
import { startCollector } from '../../support/collector.ts'
import { freePort } from '../../support/free-port.ts'
import { logLines } from '../../support/log-lines.ts'
import { type MintProcess, startedMint } from '../../support/mint-process.ts'
import { clientFromProtoFile } from '../../support/plain-grpc.ts'
import { startReceiver } from '../../support/receiver.ts'
import { create, restClient } from '../../support/rest.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'
const SAMPLED = `00-${TRACE}-${CALLER}-01`

describe('Traces of npm start', () => {
  /** Starts a Mint that traces only requests whose callers trace them. */
  async function given(environment: Record<string, string> = {}) {
    const collector = atEnd.stop(await startCollector())
    const mint = await startedMint({
      dataFolder: newFolder(),
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_TRACES_SAMPLER: 'parentbased_always_off',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        LOG_LEVEL: 'debug',
        ...environment,
      },
    })
    return { collector, mint, call: restClient(mint) }
  }

  it('lead from the request to the append, and link relay, Client and webhook to it', async () => {
    const { collector, mint, call } = await given()
    const receiver = atEnd.stop(await startReceiver())
    await create(call, '/webhooks', { url: receiver.url })
    await create(call, '/businesses', { legalName: 'Silva & Sons' }, { traceparent: SAMPLED, 'x-request-id': 'traced' })
    await create(call, '/businesses', { legalName: 'Untraced' })
    await waitFor(async () => (await call('GET', '/clients')).body.total === 2, { what: 'both Clients' })
    await waitFor(() => receiver.received.length === 2, { what: 'both deliveries' })
    const { body: feed } = await call('GET', '/events')
    await stopped(mint)

    const request = collector.span('POST /businesses')
    assert.deepEqual([request.traceId, request.parent, request.service], [TRACE, CALLER, 'mint'])
    assert.deepEqual(request.attributes, {
      'http.request.method': 'POST',
      'http.route': '/businesses',
      'http.response.status_code': 201,
      'mint.request_id': 'traced',
    })
    const append = collector.span('append business')
    assert.deepEqual([append.traceId, append.parent], [TRACE, request.spanId])
    const follow = collector.span('follow business')
    for (const span of [collector.span('publish mint.businesses.v1'), follow, collector.span('deliver to webhook')]) {
      assert.deepEqual([span.links, span.parent, span.isFailed], [[append.spanId], '', false], span.name)
      assert.notEqual(span.traceId, TRACE)
    }
    const client = collector.span('append client')
    assert.deepEqual([client.traceId, client.parent], [follow.traceId, follow.spanId])

    const [traced, untraced] = receiver.received
    const delivery = collector.span('deliver to webhook')
    assert.equal(traced?.headers.traceparent, `00-${delivery.traceId}-${delivery.spanId}-01`)
    assert.equal(untraced?.headers.traceparent, undefined)
    const ofAppend = `00-${TRACE}-${append.spanId}-01`
    assert.deepEqual(
      [traced?.event, untraced?.event, ...feed.events].map((event) => event.traceparent),
      [ofAppend, undefined, ofAppend, undefined],
    )
    const lines = logLines(mint.errors()).filter(({ requestId, msg }) => requestId === 'traced' && msg === 'answered')
    assert.deepEqual(
      lines.map(({ traceId, spanId }) => [traceId, spanId]),
      [[TRACE, request.spanId]],
    )
  })

  it('continue through gRPC calls, from the gateway and from other callers, but never for a caller without a key, whatever it sends', async () => {
    const { collector, mint, call } = await given({ GATEWAY_TRANSPORT: 'grpc' })
    const headers = { traceparent: SAMPLED, authorization: `Bearer mint_${'x'.repeat(30)}` }
    assert.equal((await call('GET', '/contracts', undefined, headers)).status, 401)
    assert.equal((await call('GET', '/healthz', undefined, headers)).status, 200)
    assert.equal((await call('GET', '/contracts/1', undefined, { traceparent: SAMPLED })).status, 404)
    await create(call, '/businesses', { legalName: 'Silva & Sons' }, { traceparent: SAMPLED, 'x-request-id': 'traced' })
    const file = 'mint/businesses/v1/businesses.proto'
    const client = atEnd.close(
      clientFromProtoFile(mint.businessesAddress, 'mint.businesses.v1.BusinessesService', file, mint.key),
    )
    const direct = SAMPLED.replace(TRACE, TRACE.replace('4', '5'))
    await client.call('ListBusinesses', {}, { traceparent: direct })
    await client.call('ListBusinesses', {}, { traceparent: 'nonsense' })
    await client.call('ListBusinesses', {}, { traceparent: direct.replace(/01$/, '00') })
    await stopped(mint)

    const [span, ...more] = collector.spans.filter(({ name }) => name.startsWith('GET '))
    assert.deepEqual([span?.name, span?.attributes['http.response.status_code']], ['GET /contracts/:id', 404])
    assert.deepEqual([span?.isFailed, more], [false, []])
    const calls = collector.spans.filter(({ name }) => name.endsWith('/CreateBusiness'))
    const [sent, answered] = calls.sort((one, other) => other.kind - one.kind)
    assert.deepEqual([sent?.traceId, sent?.parent], [TRACE, collector.span('POST /businesses').spanId])
    assert.deepEqual([answered?.traceId, answered?.parent], [TRACE, sent?.spanId])
    assert.equal(collector.span('append business').parent, answered?.spanId)
    const listed = collector.span('mint.businesses.v1.BusinessesService/ListBusinesses')
    assert.deepEqual([listed.traceId, listed.parent], [TRACE.replace('4', '5'), CALLER])
    const line = logLines(mint.errors()).find(({ requestId, msg }) => requestId === 'traced' && msg === 'called')
    assert.deepEqual([line?.traceId, line?.spanId], [TRACE, answered?.spanId])
  })

  it('are sampled at the rate in OTEL_TRACES_SAMPLER_ARG, unless a caller samples its request', async () => {
    const environment = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.2' }
    const { collector, mint, call } = await given({ ...environment, LOG_LEVEL: 'info' })
    for (let count = 0; count < 300; count++) await call('GET', '/firm')
    for (let count = 0; count < 5; count++) await call('GET', '/closing', undefined, { traceparent: SAMPLED })
    await stopped(mint)
    const named = (name: string) => collector.spans.filter((span) => span.name === name).length
    // Fails by chance once in 10,000,000 runs.
    assert.ok(named('GET /firm') > 25 && named('GET /firm') < 100, `${named('GET /firm')} spans`)
    assert.equal(named('GET /closing'), 5)
  })

  it('change nothing but one line of the log while their collector is away', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`
    const { mint, call } = await given({ OTEL_EXPORTER_OTLP_ENDPOINT: nobody, LOG_LEVEL: 'info' })
    const headers = { traceparent: SAMPLED }
    await create(call, '/businesses', { legalName: 'Silva & Sons' }, headers)
    await waitFor(() => linesAbout(mint).length === 1, { what: 'the line' })
    await create(call, '/businesses', { legalName: 'Silva & Sons' }, headers)
    assert.equal((await call('GET', '/businesses', undefined, headers)).body.total, 2)
    // Sends the second batch of spans.
    await stopped(mint)
    assert.deepEqual(
      linesAbout(mint).map(({ msg }) => msg),
      ['spans can’t be sent to the collector, and are dropped'],
    )
  })

  it('don’t delay Mint’s exit, however long their collector takes', async () => {
    const collector = atEnd.stop(await startCollector({ answers: false }))
    const { mint, call } = await given({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
    })
    await create(call, '/businesses', { legalName: 'Silva & Sons' }, { traceparent: SAMPLED })
    let hasStopped = false
    const stopping = stopped(mint).then(() => (hasStopped = true))
    // By default, the SDK would give up only after 30 s.
    await waitFor(() => hasStopped, { timeout: 25_000, what: 'Mint to stop' })
    await stopping
    assert.ok(collector.span('POST /businesses'))
  })
})

const linesAbout = (mint: MintProcess) =>
  logLines(mint.errors()).filter(({ outage }) => String(outage).startsWith('traces'))

async function stopped(mint: MintProcess): Promise<void> {
  mint.signal('SIGTERM')
  assert.equal((await mint.ended).exitCode, 0, mint.errors())
}
