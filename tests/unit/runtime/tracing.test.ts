import assert from 'node:assert/strict'
import { readSettings, type SettingsError } from '../../../shared/runtime/settings/read-settings.ts'
import { toTracingConfig, tracingSettings } from '../../../shared/runtime/settings/tracing.ts'
import {
  type Span,
  type SpanOptions,
  sampledParent,
  spanIds,
  traced,
  tracedAfter,
  traceWith,
} from '../../../shared/runtime/tracing/tracing.ts'
import { atEnd } from '../../support/cleanup.ts'

const [TRACE, SPAN] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
const SAMPLED = `00-${TRACE}-${SPAN}-01`
const UNSAMPLED = `00-${TRACE}-${SPAN}-00`

const MALFORMED = [
  '',
  'new',
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `01-${TRACE}-${SPAN}-01`,
  `${SAMPLED}-00`,
  SAMPLED.toUpperCase(),
  `${SAMPLED}, ${SAMPLED}`,
  `${SAMPLED}\n`,
]

/** Turns on tracing in this process, and collects the spans that it begins and ends. */
function tracing({ followsCallers = true, ratio = 0 } = {}) {
  const begun: (SpanOptions & { readonly name: string })[] = []
  const ended: object[] = []
  const startSpan = (name: string, options: SpanOptions): Span => {
    begun.push({ name, ...options })
    const traceparent = `00-${TRACE}-${String(begun.length).padStart(16, '0')}-01`
    return { traceparent, end: (attributes) => attributes && ended.push(attributes) }
  }
  traceWith({ followsCallers, ratio, startSpan })
  atEnd(() => traceWith(undefined))
  return { begun, ended }
}

describe('Whether a request is sampled', () => {
  it('does not matter if nothing is traced', () => {
    assert.equal(sampledParent(SAMPLED), undefined)
  })

  it('is decided by its traceparent if callers are followed', () => {
    tracing({ ratio: 1 })
    assert.equal(sampledParent(SAMPLED), SAMPLED)
    assert.equal(sampledParent(UNSAMPLED), undefined)
    tracing({ ratio: 0 })
    assert.equal(sampledParent(SAMPLED), SAMPLED)
    assert.equal(sampledParent(undefined), undefined)
  })

  it('is random if they are not, but it still continues their trace', () => {
    tracing({ followsCallers: false, ratio: 1 })
    assert.equal(sampledParent(UNSAMPLED), UNSAMPLED)
    tracing({ followsCallers: false, ratio: 0 })
    assert.equal(sampledParent(SAMPLED), undefined)
  })

  it('does not depend on a traceparent that is malformed', () => {
    tracing({ ratio: 1 })
    assert.deepEqual([...new Set(MALFORMED.map(sampledParent))], ['new'])
    tracing({ ratio: 0 })
    assert.deepEqual([...new Set(MALFORMED.map(sampledParent))], [undefined])
  })
})

describe('A span', () => {
  it('contains its work, and log lines have its ids', async () => {
    const { begun, ended } = tracing()
    const context = { actor: 'a', traceparent: SAMPLED }
    const made = await traced('work', { kind: 'internal', context }, async (own) => [own, spanIds()])
    const spanId = '0000000000000001'
    assert.deepEqual(made, [
      { actor: 'a', traceparent: `00-${TRACE}-${spanId}-01` },
      { traceId: TRACE, spanId },
    ])
    assert.deepEqual(begun, [{ name: 'work', kind: 'internal', parent: SAMPLED }])
    assert.deepEqual([ended, spanIds()], [[], { traceId: undefined, spanId: undefined }])
  })

  it('fails with its work, by the error’s code', async () => {
    const { ended } = tracing()
    const fail = () => Promise.reject(Object.assign(new Error('away'), { code: 'unavailable' }))
    await assert.rejects(traced('work', { kind: 'internal', context: { traceparent: SAMPLED } }, fail), /away/)
    await assert.rejects(tracedAfter('work', { kind: 'consumer', requests: [SAMPLED] }, fail), /away/)
    assert.deepEqual(ended, Array(2).fill({ 'error.type': 'unavailable' }))
  })

  it('is not created for unsampled work, nor if nothing is traced', async () => {
    const context = { traceparent: SAMPLED }
    assert.equal(await traced('work', { kind: 'internal', context }, async (own) => own), context)
    assert.equal(await tracedAfter('work', { kind: 'consumer', requests: [SAMPLED] }, async (own) => own), undefined)
    const { begun } = tracing()
    await traced('work', { kind: 'internal', context: {} }, async () => undefined)
    await tracedAfter('work', { kind: 'consumer', requests: [undefined, ...MALFORMED] }, async () => undefined)
    assert.deepEqual(begun, [])
  })

  it('links to every sampled request that it follows from', async () => {
    const { begun } = tracing()
    await tracedAfter('work', { kind: 'consumer', requests: [SAMPLED, undefined, 'x'] }, async () => undefined)
    assert.deepEqual(begun, [{ name: 'work', kind: 'consumer', links: [SAMPLED] }])
  })
})

describe('The settings of traces', () => {
  const read = (environment: Record<string, string | undefined>) =>
    toTracingConfig(readSettings(tracingSettings, environment))
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
  const url = 'http://collector:4318/v1/traces'

  it('trace nothing without a collector', () => {
    assert.equal(read({ OTEL_TRACES_SAMPLER: 'always_on' }), undefined)
  })

  it('are OpenTelemetry’s', () => {
    assert.deepEqual(read(endpoint), { url, followsCallers: true, ratio: 1 })
    const samplers = ['always_on', 'always_off', 'parentbased_always_off', 'parentbased_traceidratio']
    assert.deepEqual(
      samplers.map((name) => read({ ...endpoint, OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: '0.01' })),
      [
        { url, followsCallers: false, ratio: 1 },
        { url, followsCallers: false, ratio: 0 },
        { url, followsCallers: true, ratio: 0 },
        { url, followsCallers: true, ratio: 0.01 },
      ],
    )
    assert.deepEqual(
      ['0', '0.0', '.25', '1', '1.0'].map((share) => {
        const sampler = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: share }
        return read({ ...endpoint, ...sampler })?.ratio
      }),
      [0, 0, 0.25, 1, 1],
    )
    assert.equal(
      read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.example/otlp/' })?.url,
      'https://c.example/otlp/v1/traces',
    )
  })

  it('are refused if they make no sense', () => {
    for (const wrong of [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://collector:4317' },
      { OTEL_TRACES_SAMPLER: 'jaeger_remote' },
      { OTEL_TRACES_SAMPLER_ARG: '1 %' },
      { OTEL_TRACES_SAMPLER_ARG: '1.5' },
    ]) {
      const [name = ''] = Object.keys(wrong)
      assert.throws(
        () => read({ ...endpoint, ...wrong }),
        ({ lines }: SettingsError) => lines.length === 1 && lines[0]?.startsWith(`${name}=`) === true,
      )
    }
  })
})
