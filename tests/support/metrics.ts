import assert from 'node:assert/strict'
import type { PartProcess } from './part-process.ts'

/** Reads them as Prometheus does. */
export async function readMetrics(url: string) {
  const answer = await fetch(url)
  assert.equal(answer.status, 200)
  return parseMetrics(await answer.text())
}

/** The URL of a part's metrics, from its log once it is ready. */
export async function metricsUrlOf(part: PartProcess): Promise<string> {
  await part.ready()
  return /"metrics":"([^"]+)"/.exec(part.log())?.[1] ?? ''
}

/** Prometheus' text format: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export function parseMetrics(text: string) {
  const lines = text.split('\n')
  const samples = lines.flatMap((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, labels: labels.split(','), value: Number(value) }]
  })
  return {
    /** The names of all metrics, with or without a value yet. */
    names: lines.flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []).sort(),
    /** The sum of a metric's samples with these labels; undefined if there are none. */
    value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
      const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
      const found = samples.filter((one) => one.name === name && wanted.every((label) => one.labels.includes(label)))
      return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
    },
    /** The labels of a metric's samples; undefined if there are none. */
    labelsOf(sample: string): readonly string[] | undefined {
      const found = samples.filter(({ name }) => name === sample)
      const labels = found.flatMap((one) => one.labels.flatMap((label) => /^\w+(?==)/.exec(label) ?? []))
      return found.length === 0 ? undefined : [...new Set(labels)]
    },
  }
}

/** The metrics of a process, as Prometheus reads them. */
export type ReadMetrics = ReturnType<typeof parseMetrics>
