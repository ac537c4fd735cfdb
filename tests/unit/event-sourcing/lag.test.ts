import assert from 'node:assert/strict'
import type { LogEvent, Position } from '../../../shared/event-sourcing/event.ts'
import { logStatus } from '../../../shared/event-sourcing/lag.ts'
import type { ViewDefinition } from '../../../shared/event-sourcing/ports/view.ts'

const at = (position: number) => position as Position

describe('The status of a log', () => {
  it('says how far each view is behind the same position, however fast the log grows', async () => {
    const reached: Record<string, Position> = { first: at(1), second: at(3) }
    let position = 3
    const events = {
      head: async () => at(++position),
      readAll: async (after: Position) => [{ position: at(after + 1), at: 1_000 * after } as LogEvent],
    }
    const view = ({ name }: { readonly name: string }) => ({ checkpoint: async () => reached[name] })
    const views = Object.keys(reached).map((name) => ({ name }) as ViewDefinition<unknown>)
    assert.deepEqual(await logStatus({ events, view } as never, views, 5_000), {
      position: 4,
      views: [
        { name: 'first', position: 1, lagEvents: 3, lagSeconds: 4 },
        { name: 'second', position: 3, lagEvents: 1, lagSeconds: 2 },
      ],
    })
  })
})
