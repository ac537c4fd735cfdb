import { BEGINNING, type Position } from '../../event-sourcing/event.ts'
import type { Lease, LeasedCheckpoints } from '../../event-sourcing/ports/leased-checkpoints.ts'
import { reading } from './failures.ts'
import type { Statements } from './statements.ts'
import type { Writer } from './writing/writer.ts'

/** Checkpoints in a table; each move is on disk when it answers. */
export function createLeasedCheckpoints(writer: Writer, statements: Statements): LeasedCheckpoints {
  return {
    async acquire(name, holder, ttlMilliseconds) {
      const now = Date.now()
      const taken = await writer.write({ kind: 'acquire', name, holder, now, expiresAt: now + ttlMilliseconds })
      return taken && createLease(writer, name, ttlMilliseconds, taken)
    },
    read: async (name) =>
      reading(() => {
        const found = statements.of('SELECT position FROM checkpoints WHERE name = ?').get(name)
        return Number(found?.position ?? BEGINNING) as Position
      }),
    async reset(name) {
      await writer.write({ kind: 'reset', name })
    },
  }
}

function createLease(
  writer: Writer,
  name: string,
  ttlMilliseconds: number,
  { epoch, position }: { epoch: number; position: number },
): Lease {
  const renew = (to: number | null) =>
    writer.write({ kind: 'renew', name, epoch, position: to, expiresAt: Date.now() + ttlMilliseconds })
  return {
    position: position as Position,
    advance: (to) => renew(to),
    renew: () => renew(null),
    async release() {
      await writer.write({ kind: 'release', name, epoch })
    },
  }
}
