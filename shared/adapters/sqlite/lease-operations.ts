import type { Statements } from './statements.ts'
import type { WriteOperation, WriteResults } from './writing/write-operations.ts'

type Operation<Kind extends WriteOperation['kind']> = Extract<WriteOperation, { kind: Kind }>

/** Takes the lease when it is free, run out, or already this holder's; its epoch rises each time. */
export function acquireLease(statements: Statements, operation: Operation<'acquire'>): WriteResults['acquire'] {
  const { name, holder, now, expiresAt } = operation
  statements.of(`INSERT OR IGNORE INTO checkpoints VALUES (?, 0, 0, NULL, 0)`).run(name)
  const taken = statements
    .of(
      `UPDATE checkpoints SET holder = ?, epoch = epoch + 1, expires_at = ?
       WHERE name = ? AND (holder IS NULL OR holder = ? OR expires_at <= ?) RETURNING epoch, position`,
    )
    .get(holder, expiresAt, name, holder, now)
  return taken && { epoch: Number(taken.epoch), position: Number(taken.position) }
}

/** Renews the lease of this epoch, and moves its checkpoint, forward only. */
export function renewLease(statements: Statements, operation: Operation<'renew'>): boolean {
  const { name, epoch, position, expiresAt } = operation
  const renewed = statements
    .of(
      `UPDATE checkpoints SET position = max(position, coalesce(?, position)), expires_at = ?
       WHERE name = ? AND epoch = ? AND holder IS NOT NULL`,
    )
    .run(position, expiresAt, name, epoch)
  return renewed.changes === 1
}

/** Frees the lease when it is still of this epoch. */
export function releaseLease(statements: Statements, { name, epoch }: Operation<'release'>): void {
  statements.of('UPDATE checkpoints SET holder = NULL, expires_at = 0 WHERE name = ? AND epoch = ?').run(name, epoch)
}

/** Sets the checkpoint back; whoever holds its lease loses it, so that it does not move on from where it stood. */
export function resetCheckpoint(statements: Statements, { name }: Operation<'reset'>): void {
  statements
    .of('UPDATE checkpoints SET position = 0, epoch = epoch + 1, holder = NULL, expires_at = 0 WHERE name = ?')
    .run(name)
}
