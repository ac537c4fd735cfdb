import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import type { ReadMetrics } from './metrics.ts'
import { parsePromql } from './promql.ts'
import { aNewContract, type Rest } from './rest.ts'

export interface Dashboard {
  readonly file: string
  readonly uid: string
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly query: unknown }[] }
}

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly datasource?: { readonly type: string; readonly uid: string }
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly labels?: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly description?: string }
}

/** A PromQL expression, and the text shown with its results. */
export interface Shown {
  readonly where: string
  readonly expression: string
  /** `{{label}}` stands for a label's value. */
  readonly text: string
}

const FOLDER = 'deploy/helm/mint/monitoring'

export const dashboards: readonly Dashboard[] = globSync(`${FOLDER}/*.json`).map((file) => ({
  ...JSON.parse(readFileSync(file, 'utf8')),
  file: basename(file, '.json'),
}))

export const alerts = (
  parseYaml(readFileSync(`${FOLDER}/alerts.yaml`, 'utf8')) as { groups: { rules: Alert[] }[] }
).groups.flatMap(({ rules }) => rules)

/** All expressions of dashboards and alerts. */
export const shown: readonly Shown[] = [
  ...dashboards.flatMap(({ file, panels, templating }) => [
    ...panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr, legendFormat }) => ({
        where: `${file}: ${title}`,
        expression: expr.replaceAll('$__rate_interval', '5m'),
        text: legendFormat,
      })),
    ),
    ...templating.list.flatMap(({ query }) => {
      const [, expression, label] =
        /^label_values\((.*), (\w+)\)$/.exec((query as { query?: string }).query ?? '') ?? []
      return expression === undefined ? [] : [{ where: `${file}: a variable`, expression, text: `{{${label}}}` }]
    }),
  ]),
  ...alerts.map(({ alert, expr, annotations: { summary } }) => ({ where: alert, expression: expr, text: summary })),
]

/** Labels that Prometheus adds to everything it scrapes. */
const TARGET_LABELS = ['job', 'instance']

export const page = readFileSync('docs/operations.md', 'utf8')
/** The metrics that the page lists for these processes only, by their letters. */
const documented = (letters: string): string[] =>
  [...page.matchAll(new RegExp(`^\\| \`(\\w+)\` \\| [${letters} ]+ \\|`, 'gm'))].map(([, name = '']) => name)

/** Whether a process has the metric of this sample, but has recorded nothing with it yet. */
function isUnused({ names, labelsOf }: ReadMetrics, sample: string): boolean {
  const name = names.find((one) => one === sample) ?? sample.replace(/_(bucket|count|sum)$/, '')
  return names.includes(name) && labelsOf(name) === undefined && labelsOf(`${name}_count`) === undefined
}

/** Metrics and labels that dashboards and alerts use, but these processes don't have. */
export function missingIn(processes: readonly ReadMetrics[], all: readonly Shown[] = shown): string[] {
  const exists = (sample: string) =>
    processes.some((one) => one.labelsOf(sample) !== undefined || isUnused(one, sample))
  const labelsOf = (sample: string) => [
    ...TARGET_LABELS,
    'le',
    ...processes.flatMap((one) => one.labelsOf(sample) ?? []),
  ]
  return all.flatMap(({ where, expression, text }) => {
    const { reads, labels: results } = parsePromql(expression)
    const named = [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label = '']) => label)
    const lost = named.filter((label) => results !== undefined && !results.includes(label))
    return [
      ...lost.map((label) => `${where}: ${label} is not among ${results}`),
      ...reads.flatMap(({ sample, labels }) => {
        if (!exists(sample)) return [`${where}: no ${sample}`]
        const missing = [...labels, ...named].filter((label) => !labelsOf(sample).includes(label))
        return missing.map((label) => `${where}: ${sample} has no ${label}`)
      }),
    ]
  })
}

/** Without the metrics that docs/operations.md lists for these processes only, by their letters. */
export function exceptDocumented(letters: string, unknown: readonly string[]): string[] {
  const names = documented(letters)
  assert.ok(names.length >= 2, names.join())
  return unknown.filter((one) => !names.some((name) => one.endsWith(`: no ${name}`) || one.includes(`: no ${name}_`)))
}

/** Produces one sample of everything that dashboards show. */
export async function useEverything(call: Rest): Promise<void> {
  await call('POST', '/businesses', { legalName: 'École du Nord' })
  await call('POST', '/contracts', aNewContract())
  await call('GET', '/reports/contracts')
}
