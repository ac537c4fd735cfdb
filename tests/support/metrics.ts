import assert from 'node:assert/strict'
import type { PartProcess } from './part-process.ts'

/** What a process tells Prometheus. */
export interface ReadMetrics {
  /** Of all metrics, whether they have a value yet or not. */
  readonly names: readonly string[]
  /** The sum of a metric's samples that have these labels; undefined when there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined
  /** The labels that a metric's samples have; undefined when there are no samples. */
  labelsOf(sample: string): readonly string[] | undefined
}

/** Reads them as Prometheus does. */
export async function readMetrics(url: string): Promise<ReadMetrics> {
  const answer = await fetch(url)
  assert.equal(answer.status, 200)
  return parseMetrics(await answer.text())
}

/** Where a part of Mint that is ready says that its metrics are. */
export async function metricsUrlOf(part: PartProcess): Promise<string> {
  await part.ready()
  return /"metrics":"([^"]+)"/.exec(part.log())?.[1] ?? ''
}

/** Prometheus' text format: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export function parseMetrics(text: string): ReadMetrics {
  const lines = text.split('\n')
  const samples = lines.flatMap((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, labels: labels.split(','), value: Number(value) }]
  })
  return {
    names: lines.flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []).sort(),
    value(name, labels = {}) {
      const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
      const found = samples.filter((one) => one.name === name && wanted.every((label) => one.labels.includes(label)))
      return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
    },
    labelsOf(sample) {
      const found = samples.filter(({ name }) => name === sample)
      const labels = found.flatMap((one) => one.labels.flatMap((label) => /^\w+(?==)/.exec(label) ?? []))
      return found.length === 0 ? undefined : [...new Set(labels)]
    },
  }
}
