import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { item, type Message, progress } from '../../../cli/admin/running.ts'
import { itemsOf } from '../../../cli/output/items.ts'

describe('How far a command has come', () => {
  it('is drawn on a terminal', async () => {
    const { drawn, items } = await run({ isTTY: true, quietMilliseconds: 0 })
    assert.deepEqual(items, ['one', 'two'])
    assert.match(drawn, /counting .*50 % \| 1\/2/)
  })

  it('is not drawn where it takes less than the time given', async () => {
    const { drawn, items } = await run({ isTTY: true, quietMilliseconds: 60_000 })
    assert.deepEqual([drawn, items], ['', ['one', 'two']])
  })

  it('is not drawn elsewhere than on a terminal', async () => {
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
  for await (const one of itemsOf(counting(), { err }, quietMilliseconds)) items.push(one)
  return { drawn: String(err.read() ?? ''), items }
}

async function* counting(): AsyncGenerator<Message<string>> {
  yield progress('counting', 1, 2)
  yield item('one')
  yield progress('counting', 2, 2)
  yield item('two')
}
