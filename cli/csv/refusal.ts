import { CommandFailure } from '../exit.ts'

/** What is known of an import that was refused. */
export interface RefusedImport {
  readonly rows: number
  /** How many of them are written, now or by earlier runs of the same import; a lower bound if the exact number isn't known. */
  readonly written: number
  /** How many things are wrong with its rows. */
  readonly wrong: number
}

/** Mint refused an import, or a part of it. */
export class ImportRefusal extends CommandFailure {
  readonly known: RefusedImport

  constructor(message: string, known: RefusedImport, cause?: unknown) {
    super(message, { cause })
    this.known = known
  }
}
