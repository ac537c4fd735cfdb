import type { Admin } from '../admin/operations.ts'

/** A Mint's data, ready to work on. */
export interface Target {
  readonly admin: Admin
  close(): Promise<void>
}
