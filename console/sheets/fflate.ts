/**
 * fflate as write-excel-file and read-excel-file import it, without its workers, which it starts from generated scripts:
 * the page's Content-Security-Policy forbids those.
 */
import { type Unzipped, unzipSync, type Zippable, zipSync } from 'fflate/browser'

export { strFromU8, strToU8, zipSync } from 'fflate/browser'

type Callback<Result> = (error: unknown, result?: Result) => void

/** Packs files. */
export const zip = (files: Zippable, done: Callback<Uint8Array>): void => settle(() => zipSync(files), done)

/** Unpacks files. */
export const unzip = (archive: Uint8Array, done: Callback<Unzipped>): void => settle(() => unzipSync(archive), done)

function settle<Result>(run: () => Result, done: Callback<Result>): void {
  new Promise<Result>((resolve) => resolve(run())).then((result) => done(null, result), done)
}
