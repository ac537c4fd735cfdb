import { CommandFailure } from '../exit.ts'
import { discardDeadLetters, listDeadLetters, replayDeadLetters } from './dead-letters.ts'
import { history } from './history.ts'
import type { Parts } from './parts.ts'
import { rebuildViews } from './rebuild-views.ts'
import { replayRelay } from './replay-relay.ts'
import type { Report } from './report.ts'
import { rest } from './rest.ts'
import { rotateSigning } from './rotate-signing.ts'
import { status } from './status.ts'
import { exportLog } from './transfer/export.ts'
import { verify } from './verify/verify.ts'

/** Every operation on a Mint's data, whichever process has it open. Arguments and items are plain JSON. */
const operations = {
  discardDeadLetters,
  exportLog,
  history,
  listDeadLetters,
  rebuildViews,
  replayDeadLetters,
  replayRelay,
  rest,
  rotateSigning,
  status,
  verify,
}

type Operations = typeof operations
export type OperationName = keyof Operations
export type ArgumentsOf<Name extends OperationName> = Parameters<Operations[Name]>[1]
export type ItemOf<Name extends OperationName> =
  ReturnType<Operations[Name]> extends AsyncIterable<infer Item> ? Item : never

/** Runs operations, here or in the running Mint. They throw CommandFailure, and errors with a message for people. */
export type Admin = ReturnType<typeof directAdmin>

/** Runs operations in this process, on open databases; `overrides` replace some of them. */
export function directAdmin(parts: Parts, overrides: Partial<Operations> = {}) {
  const all: Operations = { ...operations, ...overrides }
  return {
    run<Name extends OperationName>(name: Name, input: ArgumentsOf<Name>, report: Report) {
      type Operation = (parts: Parts, input: ArgumentsOf<Name>, report: Report) => AsyncIterable<ItemOf<Name>>
      if (Object.hasOwn(all, name)) return (all[name] as Operation)(parts, input, report)
      throw new CommandFailure(`The running Mint is another version, which can’t do this (${name}): restart it.`)
    },
  }
}
