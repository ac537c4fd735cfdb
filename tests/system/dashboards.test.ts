import assert from 'node:assert/strict'
import { assertNone } from '../support/assert-none.ts'
import { createAuthority } from '../support/certificates.ts'
import { alerts, dashboards, exceptDocumented, missingIn, page, shown, useEverything } from '../support/dashboards.ts'
import { readMetrics } from '../support/metrics.ts'
import { startedMint } from '../support/mint-process.ts'
import { parsePromql } from '../support/promql.ts'
import { restClient } from '../support/rest.ts'
import { newFolder } from '../support/temporary-folder.ts'

/** The variable that holds the user's choice. */
const DATA_SOURCE = `$\{datasource}`

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

  it('say how bad it is, and what to do by a documented command or under a heading that exists', () => {
    for (const { alert, labels, annotations } of alerts) {
      assert.match(labels?.severity ?? '', /^(critical|warning)$/, alert)
      const { description = '' } = annotations
      const [, heading] = /See “(.+)”/.exec(description) ?? []
      assert.ok(
        heading ? page.includes(`# ${heading}\n`) : description.includes('cli/mint'),
        `${alert}: ${description}`,
      )
    }
  })

  it('show only metrics of npm start, apart from those that only separate processes have', async () => {
    const ca = createAuthority(newFolder())
    const { cert, key } = ca.issue('own', { days: 9 })
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
    const daysLeft = metrics.value('mint_tls_certificate_days_left', { use: 'grpc' }) ?? 0
    assert.equal(Math.ceil(daysLeft), 9)

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
