import type { RecordJson } from '../api/json.ts'
import { ApiProblem } from '../api/problem.ts'
import { overrideHeader } from '../closing/reason.ts'
import { type CsvFile, readCsvFile } from '../csv/csv-file.ts'
import { type Imported, importFile, type PieceRequest } from '../csv/import-file.ts'
import { patiently } from '../csv/patiently.ts'
import type { Mapping, ReadCell } from '../csv/sent-rows.ts'
import type { PageContext } from '../frame/page.ts'
import type { Write } from '../records/write.ts'
import { creditsFile } from './correction.ts'

/** A file of contracts as it was imported. */
export interface ImportedFile {
  readonly file: CsvFile
  readonly mapping: Mapping
  readonly read: (cell: string, column: number) => ReadCell
}

/** What corrects the contracts of an import, each correction under Idempotency-Keys of its own. */
export function createCorrections({ api, signal }: PageContext) {
  async function post({ path, headers, text }: PieceRequest, query: Readonly<Record<string, string>> = {}) {
    return (await api.request('POST', path, { query, headers, body: new Blob([text]), signal })).body
  }

  return {
    /** The contracts that were written under the keys of a file, as they are now, in the order of its rows. */
    async contractsOf(imported: ImportedFile): Promise<readonly RecordJson[]> {
      const ids: number[] = []
      const send = async (request: PieceRequest): Promise<Imported> => {
        const answer = await post(request, { dryRun: 'true', ids: 'true' })
        ids.push(...answer.ids)
        return answer
      }
      const options = { ...imported, many: 'contracts', isCheck: true, signal }
      for await (const { replayed, done } of importFile(send, options)) {
        // What comes later in the file was not written either.
        if (replayed < done) break
      }
      const get = async (id: number) => (await api.get(`contracts/${id}`, { signal })).body
      return await Promise.all(ids.map((id) => patiently(() => get(id), signal)))
    },

    /** Credits contracts, once for each import, and returns how many credits are new. */
    async credit({ file }: ImportedFile, contracts: readonly RecordJson[], day: string): Promise<number> {
      const credits = await readCsvFile(async function* () {
        yield new TextEncoder().encode(creditsFile(contracts, day))
      })
      const own = { file: credits, mapping: credits.columns, name: `credits-${file.fingerprint}` }
      let written = 0
      for await (const { created, wrong } of importFile(post, { ...own, many: 'contracts', isCheck: false, signal })) {
        written = created
        const [refusal] = wrong
        if (refusal) throw new ApiProblem(400, { code: refusal.code, detail: refusal.message })
      }
      return written
    },

    /** Sends an edit of a correction that `key` names: however often it is sent, it happens once. */
    edit(key: string, { method, path, body, overrideReason = '' }: Write) {
      const headers = { 'Idempotency-Key': `${key}-${path}`, ...overrideHeader(overrideReason) }
      return patiently(() => api.request(method, path, { body, headers, signal }), signal)
    },
  }
}
