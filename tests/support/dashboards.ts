import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'

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
  readonly annotations: { readonly summary: string }
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
