import { z } from 'zod'
import { choice } from './read-settings.ts'

const PARENT_BASED = ['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const

/** Where traces are sent, and which requests are traced: OpenTelemetry's own names and values. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ allowed: 'the http: or https: address of a collector, for example http://collector:4318' }),
  OTEL_TRACES_SAMPLER: choice([...PARENT_BASED, 'always_on', 'always_off'], 'parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0|0?\.\d{1,15}|1(\.0{1,15})?)$/)
    .transform(Number)
    .default(1)
    .meta({ allowed: 'a number from 0 to 1, for example 0.01' }),
}

export type TracingConfig = NonNullable<ReturnType<typeof toTracingConfig>>

/** Converts the settings to the form that a process uses; undefined: nothing is traced. */
export function toTracingConfig(settings: z.output<z.ZodObject<typeof tracingSettings>>) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: arg } = settings
  if (endpoint === undefined) return undefined
  return {
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    // Whether the flag in a request's traceparent decides if it is sampled.
    followsCallers: sampler.startsWith('parentbased_'),
    // The share of all other requests that is sampled.
    ratio: sampler.endsWith('_off') ? 0 : sampler.endsWith('ratio') ? arg : 1,
  }
}
