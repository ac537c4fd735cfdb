import { z } from 'zod'
import { unknownCursor } from '../../shared/events/cursor.ts'
import type { ServicePart } from '../../shared/kinds/kind.ts'

/** A cursor of each log that has been read; the others are read from their beginning. */
export type Cursors = { readonly [Part in ServicePart]?: string | undefined }

const ofLog = z.string().max(100).optional()
const cursors = z.strictObject({ contracts: ofLog, businesses: ofLog } satisfies Record<ServicePart, unknown>)

/** The cursors of logs as one text, which is safe in a URL. */
export function encodeCursors(given: Cursors): string {
  return Buffer.from(JSON.stringify(given)).toString('base64url')
}

/** Throws validation_failed if it isn't a cursor; the logs check whether it is one of theirs. */
export function decodeCursors(text: string): Cursors {
  try {
    return cursors.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    throw unknownCursor()
  }
}
