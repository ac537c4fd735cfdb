import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { assertNone } from '../support/assert-none.ts'
import { createAuthority } from '../support/certificates.ts'
import { alerts, dashboards, type Shown, shown } from '../support/dashboards.ts'
import { bothEngines, describeOn } from '../support/engines.ts'
import { metricsUrlOf, type ReadMetrics, readMetrics } from '../support/metrics.ts'
import { startedMint } from '../support/mint-process.ts'
import { parsePromql } from '../support/promql.ts'
import { aNewContract, type Rest, restClient } from '../support/rest.ts'
import { newSeparateMint } from '../support/separate-processes.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'

/** Labels that Prometheus adds to everything it scrapes. */
const TARGET_LABELS = ['job', 'instance']

/** The variable that holds the user's choice. */
const DATA_SOURCE = `$\{datasource}`

const page = readFileSync('docs/operations.md', 'utf8')
/** The metrics that the page lists for these processes only, by their letters. */
const documented = (letters: string): string[] =>
  [...page.matchAll(new RegExp(`^\\| \`(\\w+)\` \\| [${letters} ]+ \\|`, 'gm'))].map(([, name = '']) => name)

/** Whether a process has the metric of this sample, but has recorded nothing with it yet. */
function isUnused({ names, labelsOf }: ReadMetrics, sample: string): boolean {
  const name = names.find((one) => one === sample) ?? sample.replace(/_(bucket|count|sum)$/, '')
  return names.includes(name) && labelsOf(name) === undefined && labelsOf(`${name}_count`) === undefined
}

/** Metrics and labels that dashboards and alerts use, but these processes don't have. */
function missingIn(processes: readonly ReadMetrics[], all: readonly Shown[] = shown): string[] {
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

function exceptDocumented(letters: string, unknown: readonly string[]): string[] {
  const names = documented(letters)
  assert.ok(names.length >= 2, names.join())
  return unknown.filter((one) => !names.some((name) => one.endsWith(`: no ${name}`) || one.includes(`: no ${name}_`)))
}

/** Produces one sample of everything that dashboards show. */
async function useEverything(call: Rest): Promise<void> {
  await call('POST', '/businesses', { legalName: 'École du Nord' })
  await call('POST', '/contracts', aNewContract())
  await call('GET', '/reports/contracts')
}

describe('Dashboards and alerts', () => {
  it('exist, each panel with a unique id and the selected data source', () => {
    assert.deepEqual(dashboards.map(({ file, uid }) => [file, uid]).sort(), [
      ['mint', 'mint'],
      ['mint-processes', 'mint-processes'],
    ])
    for (const { panels } of dashboards) {
      assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
      const charts = panels.filter(({ type }) => type !== 'row')
      assertNone(charts.filter(({ targets = [] }) => targets.length === 0))
      assert.deepEqual([...new Set(charts.map(({ datasource }) => datasource?.uid))], [DATA_SOURCE])
    }
    assert.ok(alerts.length > 10 && shown.length > 60, `${alerts.length} alerts, ${shown.length} expressions`)
  })

  it('show only metrics of npm start, apart from those that only separate processes have', async () => {
    const ca = createAuthority(newFolder())
    const { cert, key } = ca.issue('own')
    const environment = {
      GRPC_TLS_CERT_FILE: cert,
      GRPC_TLS_KEY_FILE: key,
      GRPC_TLS_CA_FILE: ca.cert,
      GATEWAY_TRANSPORT: 'grpc',
    }
    const mint = await startedMint({ dataFolder: newFolder(), environment })
    await useEverything(restClient(mint))
    const metrics = await readMetrics(mint.metricsUrl)
    assertNone(exceptDocumented('GCB', missingIn([metrics])))

    const planted = [
      ['max(mint_dead_mail)', ''],
      ['rate(mint_append_duration_seconds[5m])', ''],
      ['sum by (service, cause) (rate(mint_append_lost_races_total[5m]))', '{{service}}'],
      ['mint_dead_letters{reason="forged"}', '{{topic}}'],
      ['max by (topic) (mint_dead_letters)', '{{ $labels.relay }}'],
    ].map(([expression = '', text = '']) => ({ where: 'planted', expression, text }))
    assert.deepEqual(missingIn([metrics], planted), [
      'planted: no mint_dead_mail',
      'planted: no mint_append_duration_seconds',
      'planted: mint_append_lost_races_total has no cause',
      'planted: mint_dead_letters has no reason',
      'planted: relay is not among topic',
      'planted: mint_dead_letters has no relay',
    ])
    assert.throws(() => parsePromql('sum by (topic (mint_dead_letters)'), /no PromQL from/)
  })
})

describeOn(bothEngines(), 'Dashboards and alerts of separate processes', (mongoUrl) => {
  it('show only metrics they have, apart from those of certificates and files', async () => {
    const mint = await newSeparateMint(mongoUrl)
    const { call, ...parts } = await mint.startAll({ WEBHOOK_KEY: 'k'.repeat(32) })
    await useEverything(call)
    const reads: ReadMetrics[] = []
    const unknown = async (): Promise<string[]> => {
      for (const part of Object.values(parts)) reads.push(await readMetrics(await metricsUrlOf(part)))
      return exceptDocumented('TF', missingIn(reads))
    }
    // What can't be read within a second is left out, and the consumer's lag until Kafka has answered.
    await waitFor(async () => (await unknown()).length === 0, { timeout: 15_000, every: 200 }).catch(() => {})
    assertNone(await unknown())
  })
})
