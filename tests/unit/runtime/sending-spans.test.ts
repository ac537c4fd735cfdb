import assert from 'node:assert/strict'
import { startTracing } from '../../../shared/runtime/tracing/sdk.ts'
import { startSpan } from '../../../shared/runtime/tracing/tracing.ts'
import { atEnd } from '../../support/cleanup.ts'
import { collectingLogger } from '../../support/collecting-logger.ts'
import { startCollector } from '../../support/collector.ts'

const TIMEOUT = 'OTEL_EXPORTER_OTLP_TIMEOUT'

describe('Sending spans', () => {
  it('takes no longer than OTEL_EXPORTER_OTLP_TIMEOUT allows', async () => {
    const { url } = atEnd.stop(await startCollector({ answers: false }))
    process.env[TIMEOUT] = '100'
    atEnd(() => delete process.env[TIMEOUT])
    const { logger, lines } = collectingLogger()
    const stop = startTracing({ url: `${url}/v1/traces`, followsCallers: true, ratio: 1 }, 'mint', logger)
    startSpan('work', { kind: 'internal' })?.end()
    // Gives up by itself after 2 s: without the setting, the exporter would take longer.
    await stop()
    assert.deepEqual(
      lines.map(({ err }) => (err as Error).message),
      ['Request timed out'],
    )
  })
})
