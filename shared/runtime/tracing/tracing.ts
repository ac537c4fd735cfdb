import { AsyncLocalStorage } from 'node:async_hooks'

/** A span that is recorded. */
export interface Span {
  /** The W3C traceparent that calls within it carry. */
  readonly traceparent: string
  /** `error.type` marks it as failed. A second call has no effect. */
  end(attributes?: Readonly<Record<string, string | number>>): void
}

export interface SpanOptions {
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  /** The traceparent of the span that it is part of; without one it begins a trace. */
  readonly parent?: string
  /** The traceparents of spans in other traces that led to it. */
  readonly links?: readonly string[]
}

/** What sdk.ts provides, which is loaded only where traces are sent. */
export interface Tracing {
  /** Whether the flag in a request's traceparent decides if it is sampled. */
  readonly followsCallers: boolean
  /** The share of all other requests that is sampled. */
  readonly ratio: number
  startSpan(name: string, options: SpanOptions): Span
}

/** The `parent` of a sampled request's first span if its caller doesn't trace it. */
const NEW_TRACE = 'new'
/** Of version 00, with ids that aren't zero. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
const SAMPLED = /[13579bdf]$/

/** Whether a text is a W3C traceparent. */
export const isTraceparent = (text: string): boolean => TRACEPARENT.test(text)

/** One for the process, as in OpenTelemetry's own API: any code may add a span. */
let tracing: Tracing | undefined

/** Starts tracing in this process; `undefined` stops it. */
export function traceWith(started: Tracing | undefined): void {
  tracing = started
}

/** Whether this process traces. */
export const isTracing = (): boolean => tracing !== undefined

/** Starts a span; undefined where this process doesn't trace. */
export const startSpan = (name: string, options: SpanOptions): Span | undefined => tracing?.startSpan(name, options)

/**
 * The `parent` for the first span of a request that came with this traceparent; undefined if it isn't sampled. Call it
 * once the caller may make the request: whoever has no key must not be able to have spans stored.
 */
export function sampledParent(given: string | undefined): string | undefined {
  if (tracing === undefined) return undefined
  const parent = given !== undefined && isTraceparent(given) ? given : NEW_TRACE
  const follows = parent !== NEW_TRACE && tracing.followsCallers
  return (follows ? SAMPLED.test(parent) : Math.random() < tracing.ratio) ? parent : undefined
}

const running = new AsyncLocalStorage<string>()

/** Runs work that belongs to the span with this traceparent: its log lines have the span's ids. */
export const within = <Done>(traceparent: string, work: () => Done): Done => running.run(traceparent, work)

/** Runs work that belongs to no span, even if it is started within one. */
export const outside = (work: () => void): void => running.exit(work)

/** The ids that log lines have of a span: the given one, or else the one that `within` runs. */
export function spanIds(traceparent: string | undefined = running.getStore()): object {
  const [, traceId, spanId] = traceparent?.split('-') ?? []
  return { traceId, spanId }
}

async function inSpan<Done>(span: Span, work: () => Promise<Done>): Promise<Done> {
  try {
    return await within(span.traceparent, work)
  } catch (error) {
    span.end(failureOf(error))
    throw error
  } finally {
    span.end()
  }
}

/** The attributes of a span that failed with an error: its code, or its name. */
const failureOf = (error: unknown) => ({
  'error.type': String((error as { readonly code?: unknown }).code ?? (error as Error).name),
})

/** Runs a part of a request; if that is sampled, in a span of its own, which `work` gets in the context. */
export async function traced<Context extends { readonly traceparent?: string }, Done>(
  name: string,
  { kind, context }: { readonly kind: SpanOptions['kind']; readonly context: Context },
  work: (context: Context) => Promise<Done>,
): Promise<Done> {
  const { traceparent: parent } = context
  const span = parent === undefined ? undefined : startSpan(name, { kind, parent })
  return span ? await inSpan(span, () => work({ ...context, traceparent: span.traceparent })) : await work(context)
}

/** Runs what follows from requests; if any of them was sampled, in a trace of its own that links to theirs. */
export async function tracedAfter<Done>(
  name: string,
  { kind, requests }: { readonly kind: SpanOptions['kind']; readonly requests: readonly (string | undefined)[] },
  work: (span?: Span) => Promise<Done>,
): Promise<Done> {
  const links = isTracing() ? requests.filter((one) => one !== undefined && isTraceparent(one)) : []
  const span = links.length > 0 ? startSpan(name, { kind, links: links as string[] }) : undefined
  return span ? await inSpan(span, () => work(span)) : await work()
}
