import assert from 'node:assert/strict'
import { BUSINESSES_TOPIC, topicIn } from '../../../shared/runtime/settings/topic-names.ts'
import { atEnd } from '../../support/cleanup.ts'
import { startCollector } from '../../support/collector.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { firstMessages } from '../../support/kafka-topics.ts'
import { logLines } from '../../support/log-lines.ts'
import { startReceiver } from '../../support/receiver.ts'
import { create } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'

describeOn(bothEngines(), 'Traces of separate processes', (mongoUrl) => {
  it('lead through the call stream to the append, and link relay, Client and webhook to it', async () => {
    const collector = atEnd.stop(await startCollector())
    const traced = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
      WEBHOOK_KEY: 'k'.repeat(32),
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      LOG_LEVEL: 'debug',
    }
    const mint = await newSeparateMint(mongoUrl)
    const { call, ...parts } = await mint.startAll(traced)
    const receiver = atEnd.stop(await startReceiver())
    await create(call, '/webhooks', { url: receiver.url })
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, 'x-request-id': 'traced' }
    await create(call, '/businesses', { legalName: 'Silva & Sons' }, headers)
    await create(call, '/businesses', { legalName: 'Untraced' })
    await waitFor(async () => (await call('GET', '/clients')).body.total === 2, { timeout: 60_000 })
    await waitFor(() => receiver.received.length === 2)
    for (const part of Object.values(parts)) assert.equal(await part.end(), 0, part.log())

    const request = collector.span('POST /businesses')
    const calls = collector.spans.filter(({ name }) => name.endsWith('/CreateBusiness'))
    const [sent, answered] = ['gateway', 'businesses'].map((part) => calls.find(({ service }) => service === part))
    const append = collector.span('append business')
    assert.deepEqual(
      [request, sent, answered, append].map((span) => [span?.service, span?.traceId, span?.parent]),
      [
        ['gateway', TRACE, CALLER],
        ['gateway', TRACE, request.spanId],
        ['businesses', TRACE, sent?.spanId],
        ['businesses', TRACE, answered?.spanId],
      ],
    )
    const follow = collector.span('follow business')
    const delivery = collector.span('deliver to webhook')
    assert.deepEqual(
      [collector.span(`publish ${BUSINESSES_TOPIC}`), follow, delivery].map((span) => [span.service, span.links]),
      ['businesses', 'contracts', 'gateway'].map((service) => [service, [append.spanId]]),
    )
    const client = collector.span('append client')
    assert.deepEqual([client.service, client.traceId, client.parent], ['contracts', follow.traceId, follow.spanId])
    const delivered = receiver.received.map(({ headers: { traceparent } }) => traceparent)
    assert.deepEqual(delivered, [`00-${delivery.traceId}-${delivery.spanId}-01`, undefined])

    const messages = await firstMessages(topicIn(mint.namespace, BUSINESSES_TOPIC), 2)
    assert.deepEqual(
      messages.map(({ headers }) => headers.ce_traceparent),
      [`00-${TRACE}-${append.spanId}-01`, undefined],
    )

    const lines = Object.values(parts).flatMap((part) => logLines(part.log()))
    const named = lines.filter(({ requestId, msg }) => requestId === 'traced' && ['answered', 'called'].includes(msg))
    assert.ok(named.length >= 3, 'of the request, of the call and of the answer')
    assert.deepEqual([...new Set(named.map(({ traceId }) => traceId))], [TRACE])
  }).timeout(180_000)
})
