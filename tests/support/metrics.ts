import assert from 'node:assert/strict'
import type { PartProcess } from './part-process.ts'

/** What a process tells Prometheus. */
export interface ReadMetrics {
  /** Of all metrics, whether they have a value yet or not. */
  readonly names: readonly string[]
  /** The sum of a metric's samples that have these labels; undefined when there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined
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
  return {
    names: lines.flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []).sort(),
    value(name, labels = {}) {
      const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
      const found = lines.flatMap((line) => {
        const [, sample, its = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
        return sample === name && wanted.every((label) => its.split(',').includes(label)) ? [Number(value)] : []
      })
      return found.length === 0 ? undefined : found.reduce((sum, value) => sum + value, 0)
    },
  }
}
