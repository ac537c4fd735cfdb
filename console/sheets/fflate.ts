/**
 * fflate as write-excel-file and read-excel-file import it, without its workers, which it starts from generated scripts:
 * the page's Content-Security-Policy forbids those.
 */
import { type UnzipFileInfo, type Unzipped, unzipSync, type Zippable, zipSync } from 'fflate/browser'

export { strFromU8, strToU8, zipSync } from 'fflate/browser'

type Callback<Result> = (error: unknown, result?: Result) => void

/** Packs files. */
export const zip = (files: Zippable, done: Callback<Uint8Array>): void => settle(() => zipSync(files), done)

/** Unpacks files. */
export const unzip = (archive: Uint8Array, done: Callback<Unzipped>): void => settle(() => unpacked(archive), done)

/** Fifty times what a workbook may have packed: in one that was made to, each byte stands for a thousand. */
const MAX_UNPACKED_BYTES = 500_000_000

function unpacked(archive: Uint8Array): Unzipped {
  let bytes = 0
  const filter = ({ originalSize }: UnzipFileInfo): boolean => {
    bytes += originalSize
    if (bytes > MAX_UNPACKED_BYTES) throw new Error(`unpacked, the files have more than ${MAX_UNPACKED_BYTES} bytes`)
    return true
  }
  return unzipSync(archive, { filter })
}

function settle<Result>(run: () => Result, done: Callback<Result>): void {
  new Promise<Result>((resolve) => resolve(run())).then((result) => done(null, result), done)
}
