import { ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { getStringFromEnv, setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { withTimeout } from '../../async/with-timeout.ts'
import type { Logger } from '../log/logger.ts'
import type { TracingConfig } from '../settings/tracing.ts'
import { thisProcess, version } from '../this-process.ts'
import { isTraceparent, outside, traceWith } from './tracing.ts'

/**
 * How long sending may take unless the exporter's own settings say otherwise, in milliseconds: spans are sent every 5 s,
 * and the log counts failures every 10.
 */
const SENDING = 3_000
const OWN_TIMEOUTS = ['OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', 'OTEL_EXPORTER_OTLP_TIMEOUT']
/** How long the end of the process waits for its last spans to be sent, in milliseconds. */
const LAST_MOMENTS = 2_000

/**
 * Starts tracing in this process, as the service `name`, and sends its spans by OTLP over HTTP. At most 2,048 wait, and
 * further ones are dropped, so that a collector that is unavailable costs little memory. Returns how to stop.
 */
export function startTracing({ url, ...sampling }: TracingConfig, name: string, logger: Logger): () => Promise<void> {
  const report = (err: unknown) =>
    outside(() => logger.warn({ outage: 'traces', err }, 'spans can’t be sent to the collector, and are dropped'))
  setGlobalErrorHandler(report)
  const hasOwnTimeout = OWN_TIMEOUTS.some((name) => getStringFromEnv(name) !== undefined)
  const exporter = new OTLPTraceExporter({ url, ...(!hasOwnTimeout && { timeoutMillis: SENDING }) })
  const own = { 'service.namespace': 'mint', 'service.name': name, 'service.version': version }
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ ...own, 'service.instance.id': thisProcess.at }))
      .merge(detectResources({ detectors: [envDetector] })),
    // Whether a request is sampled is decided before its first span is made.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('mint', version)
  traceWith({
    ...sampling,
    startSpan(spanName, { kind, parent = '', links: given = [] }) {
      const links = given.map((link) => ({ context: contextOf(link) }))
      const within = isTraceparent(parent) ? trace.setSpanContext(ROOT_CONTEXT, contextOf(parent)) : ROOT_CONTEXT
      const options = { kind: SpanKind[kind.toUpperCase() as Uppercase<typeof kind>], links }
      const span = tracer.startSpan(spanName, options, within)
      const { traceId, spanId } = span.spanContext()
      return {
        traceparent: `00-${traceId}-${spanId}-01`,
        end(attributes = {}) {
          if ('error.type' in attributes) span.setStatus({ code: SpanStatusCode.ERROR })
          span.setAttributes(attributes).end()
        },
      }
    },
  })
  return async () => {
    traceWith(undefined)
    await withTimeout(LAST_MOMENTS, provider.shutdown()).catch(report)
  }
}

function contextOf(traceparent: string): SpanContext {
  const [, traceId = '', spanId = ''] = traceparent.split('-')
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
}
