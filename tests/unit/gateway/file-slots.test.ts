import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { RequestAborted } from '../../../gateway/http/body.ts'
import { createFileSlots } from '../../../gateway/http/file-slots.ts'
import { ProblemError } from '../../../gateway/problem.ts'
import { waitFor } from '../../support/wait-for.ts'

const LONG = 60_000

/** Imports that run until they are told to end. */
function imports(patience: number) {
  const slots = createFileSlots(patience)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    /** Asks for the turn of a file; `outcome` is its name, or why it was refused. */
    ask(name: string, { closed = false } = {}) {
      const res = Object.assign(new EventEmitter(), { closed })
      const outcome = slots(res as unknown as ServerResponse, async () => {
        begun.push(name)
        await new Promise<void>((end) => ends.set(name, end))
        return name
      }).catch((error: unknown) => error)
      return { outcome, disconnect: () => res.emit('close') }
    },
    /** Ends a file once it runs. */
    async end(name: string) {
      await waitFor(() => ends.has(name), { what: `file ${name} to run` })
      ends.get(name)?.()
    },
  }
}

function assertRefused(outcome: unknown): void {
  assert.ok(outcome instanceof ProblemError)
  assert.deepEqual([outcome.code, outcome.isOverload], ['unavailable', true])
}

describe('Files to import', () => {
  it('run two at a time, the others in the order of their arrival', async () => {
    const { ask, end, begun } = imports(LONG)
    const [first, second, third, fourth] = ['1', '2', '3', '4'].map((name) => ask(name).outcome)
    assert.deepEqual(begun, ['1', '2'])
    for (const name of ['2', '1', '3', '4']) await end(name)
    assert.deepEqual(await Promise.all([first, second, third, fourth]), ['1', '2', '3', '4'])
    assert.deepEqual(begun, ['1', '2', '3', '4'])
    ask('5')
    assert.equal(begun.at(-1), '5')
  })

  it('wait for as long as a body may take to arrive, then are refused', async () => {
    const { ask, end, begun } = imports(20)
    for (const name of ['1', '2']) ask(name)
    assertRefused(await ask('3').outcome)
    await end('1')
    const next = ask('4').outcome
    await end('4')
    assert.equal(await next, '4')
    assert.deepEqual(begun, ['1', '2', '4'])
  })

  it('take no turn from the others if their caller has gone before', async () => {
    const { ask, begun } = imports(LONG)
    assert.ok((await ask('1', { closed: true }).outcome) instanceof RequestAborted)
    for (const name of ['2', '3']) ask(name)
    assert.deepEqual(begun, ['2', '3'])
  })

  it('are refused at once while 32 others wait', async () => {
    const { ask, end } = imports(LONG)
    const [first, , waiting] = Array.from({ length: 34 }, (_, index) => ask(`${index + 1}`))
    assertRefused(await ask('35').outcome)
    waiting?.disconnect()
    assert.ok((await waiting?.outcome) instanceof RequestAborted)
    const last = ask('36')
    for (let count = 1; count <= 36; count++) if (count !== 3 && count !== 35) await end(`${count}`)
    assert.deepEqual([await first?.outcome, await last.outcome], ['1', '36'])
  })
})
