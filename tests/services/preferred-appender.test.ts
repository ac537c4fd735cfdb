import assert from 'node:assert/strict'
import { preferOneAppender } from '../../shared/event-sourcing/preferred-appender.ts'
import { atEnd } from '../support/cleanup.ts'
import { describeOnDatabases } from '../support/database-fixtures.ts'
import { waitFor } from '../support/wait-for.ts'

describeOnDatabases('a preferred appender', (open) => {
  /** Processes with one log. Leases of half a second leave a slow machine room to renew them. */
  async function processes(count: number) {
    const { checkpoints, events } = (await open([])).database
    return Array.from({ length: count }, (_, index) => {
      let isAway = false
      const away = async (): Promise<never> => {
        throw new Error('the network is away')
      }
      const reached: typeof checkpoints = {
        ...checkpoints,
        async acquire(name, holder, milliseconds) {
          if (isAway) return await away()
          const lease = await checkpoints.acquire(name, holder, milliseconds)
          return lease && { ...lease, renew: () => (isAway ? away() : lease.renew()) }
        },
      }
      const appender = preferOneAppender({
        database: { checkpoints: reached, events },
        holder: `process ${index}`,
        leaseMilliseconds: 500,
      })
      atEnd(() => appender.stop())
      return { appender, cutOff: () => (isAway = true) }
    })
  }

  type Process = Awaited<ReturnType<typeof processes>>[number]
  const preferred = (all: readonly Process[]) => all.filter(({ appender }) => appender.isThisProcess())
  const onePreferred = (all: readonly Process[]) =>
    waitFor(() => preferred(all)[0], { what: 'a process that is preferred' })

  it('is one of the processes that share a log, and another one after it stops', async () => {
    const all = await processes(3)
    const first = await onePreferred(all)
    assert.equal(preferred(all).length, 1)
    await first.appender.stop()
    assert.equal(first.appender.isThisProcess(), false)
    const second = await onePreferred(all)
    assert.notEqual(second, first)
    assert.equal(preferred(all).length, 1)
  })

  it('stops being preferred once it is cut off from the log, and another one takes over', async () => {
    const all = await processes(3)
    const first = await onePreferred(all)
    first.cutOff()
    await waitFor(() => first.appender.isThisProcess() === false, { what: 'the end of its lease' })
    const second = await onePreferred(all)
    assert.notEqual(second, first)
  })
})
