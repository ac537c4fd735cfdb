import assert from 'node:assert/strict'
import { pino } from 'pino'
import { countingOutages } from '../../../shared/runtime/log/outages.ts'
import { waitFor } from '../../support/wait-for.ts'

const COUNT_EVERY = 100

describe('The log of an outage', () => {
  let lines: Record<string, unknown>[]
  const loggerAt = (level: string) =>
    pino(
      { level, base: null, timestamp: false, hooks: { logMethod: countingOutages(COUNT_EVERY) } },
      { write: (line: string) => lines.push(JSON.parse(line)) },
    )
  beforeEach(() => {
    lines = []
  })
  const ended = () => waitFor(() => lines.find(({ msg }) => msg === END), { what: 'the last line' })

  it('has the first failure with one stack trace, how many followed, and its end', async () => {
    const logger = loggerAt('info')
    const cause = new TypeError('no address')
    const err = new Error('not reachable', { cause })
    for (let count = 0; count < 1_000; count++) logger.error({ outage: '/contracts', requestId: count, err }, 'failed')
    const { milliseconds, ...last } = await ended()
    assert.equal(typeof milliseconds, 'number')
    assert.deepEqual(last, { level: 30, during: '/contracts: Error', failed: 1_000, msg: END })
    const [first, between, ...rest] = lines
    assert.deepEqual(first, {
      level: 50,
      requestId: 0,
      outage: '/contracts: Error',
      reason: 'not reachable: no address',
      err: { type: 'TypeError', message: 'no address', stack: cause.stack },
      msg: 'failed',
    })
    assert.deepEqual([between?.msg, between?.failed, rest.length], ['still failing', 999, 1])

    lines = []
    logger.error({ outage: '/contracts', err }, 'failed')
    assert.equal(lines[0]?.msg, 'failed', 'the next one begins anew')
    await ended()
  })

  it('keeps outages and kinds of errors apart, and leaves all other lines alone', async () => {
    const logger = loggerAt('info')
    for (const outage of ['/contracts', '/businesses', undefined]) {
      for (const err of [new Error('away'), new TypeError('a fault'), new Error('away')])
        logger.error({ outage, err }, '')
    }
    assert.deepEqual(
      lines.map(({ outage }) => outage),
      ['/contracts: Error', '/contracts: TypeError', '/businesses: Error', '/businesses: TypeError', ...Array(3)],
    )
    logger.error('words alone')
    assert.equal(lines.at(-1)?.msg, 'words alone')
    await waitFor(() => lines.filter(({ msg }) => msg === END).length === 4)
  })

  it('has a line for each failure at level debug', async () => {
    const logger = loggerAt('debug')
    for (let count = 0; count < 10; count++) logger.warn({ outage: 'store', err: new Error('away') }, 'failed')
    assert.equal(lines.length, 10)
    await ended()
  })
})

const END = 'no failure since the last count'
