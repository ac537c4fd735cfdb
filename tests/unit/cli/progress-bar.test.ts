import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import type { Report } from '../../../cli/admin/report.ts'
import { withBar } from '../../../cli/output/progress-bar.ts'

describe('The progress of a command', () => {
  it('is drawn on a terminal', async () => {
    const { drawn, items } = await run({ isTTY: true, quietMilliseconds: 0 })
    assert.deepEqual(items, ['one', 'two'])
    assert.match(drawn, /counting .*50 % \| 1\/2/)
  })

  it('is not drawn if the command takes less than the given time', async () => {
    const { drawn, items } = await run({ isTTY: true, quietMilliseconds: 60_000 })
    assert.deepEqual([drawn, items], ['', ['one', 'two']])
  })

  it('is not drawn anywhere but on a terminal', async () => {
    const { drawn, items } = await run({ isTTY: false, quietMilliseconds: 0 })
    assert.deepEqual([drawn, items], ['', ['one', 'two']])
  })
})

async function run({ isTTY, quietMilliseconds }: { isTTY: boolean; quietMilliseconds: number }) {
  const err = Object.assign(new PassThrough({ encoding: 'utf8' }), {
    isTTY,
    columns: 80,
    cursorTo: () => true,
    clearLine: () => true,
  })
  const items: string[] = []
  for await (const one of withBar({ err }, counting, quietMilliseconds)) items.push(one)
  return { drawn: String(err.read() ?? ''), items }
}

async function* counting(report: Report): AsyncGenerator<string> {
  report('counting', 1, 2)
  yield 'one'
  report('counting', 2, 2)
  yield 'two'
}
