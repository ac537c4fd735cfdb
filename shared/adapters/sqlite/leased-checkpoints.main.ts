import { BEGINNING, type Position } from '../../event-sourcing/event.ts'
import type { LeasedCheckpoints } from '../../event-sourcing/ports/leased-checkpoints.ts'
import { reading } from './file/failures.ts'
import type { Statements } from './file/statements.ts'
import type { Writer } from './writing/writer.main.ts'

/** Acquires the lease if it is free, expired, or already this holder's; its epoch increases each time. */
const ACQUIRE = `
  INSERT INTO checkpoints VALUES (:name, 0, 1, :holder, :expiresAt)
  ON CONFLICT DO UPDATE SET holder = :holder, epoch = epoch + 1, expires_at = :expiresAt
  WHERE holder IS NULL OR holder = :holder OR expires_at <= :now
  RETURNING epoch, position`

/** Renews the lease of this epoch and moves its checkpoint, forward only; a null position moves nothing. */
const RENEW = `
  UPDATE checkpoints SET position = max(position, coalesce(:position, position)), expires_at = :expiresAt
  WHERE name = :name AND epoch = :epoch AND holder IS NOT NULL
  RETURNING epoch`

/** Releases the lease if it still has this epoch. */
const RELEASE = 'UPDATE checkpoints SET holder = NULL, expires_at = 0 WHERE name = :name AND epoch = :epoch'

/** Resets the checkpoint and takes its lease away, so that the holder can't advance it from where it was. */
const RESET = `
  UPDATE checkpoints SET position = 0, epoch = epoch + 1, holder = NULL, expires_at = 0 WHERE name = :name`

/** Checkpoints in a table; a change is on disk when its promise resolves. */
export function createLeasedCheckpoints(writer: Writer, statements: Statements): LeasedCheckpoints {
  return {
    async acquire(name, holder, ttlMilliseconds) {
      const now = Date.now()
      const named = { name, holder, now, expiresAt: now + ttlMilliseconds }
      const taken = await writer.write({ kind: 'sql', sql: ACQUIRE, named })
      if (!taken) return undefined
      const epoch = Number(taken.epoch)
      async function renew(to: Position | null): Promise<boolean> {
        const named = { name, epoch, position: to, expiresAt: Date.now() + ttlMilliseconds }
        return (await writer.write({ kind: 'sql', sql: RENEW, named })) !== undefined
      }
      return {
        position: taken.position as Position,
        advance: renew,
        renew: () => renew(null),
        async release() {
          await writer.write({ kind: 'sql', sql: RELEASE, named: { name, epoch } })
        },
      }
    },
    read: async (name) =>
      reading(() => {
        const found = statements.of('SELECT position FROM checkpoints WHERE name = ?').get(name)
        return Number(found?.position ?? BEGINNING) as Position
      }),
    async reset(name) {
      await writer.write({ kind: 'sql', sql: RESET, named: { name } })
    },
  }
}
