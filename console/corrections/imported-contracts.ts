import type { RecordJson } from '../api/json.ts'
import { type ImportOptions, importFile, type PieceRequest } from '../csv/import-file.ts'
import { retryWhileBusy } from '../csv/retry-while-busy.ts'
import type { PageContext } from '../frame/page.ts'

/** A file of contracts as it was imported. */
export type ImportedFile = Required<Pick<ImportOptions, 'file' | 'mapping' | 'read'>>

/** The contracts that were written under the keys of a file, as they are now, in the order of its rows. */
export async function importedContracts(
  { api, signal }: Pick<PageContext, 'api' | 'signal'>,
  imported: ImportedFile,
): Promise<readonly RecordJson[]> {
  const ids: number[] = []
  const send = async ({ path, query, headers, text }: PieceRequest) => {
    const request = { query: { ...query, ids: 'true' }, headers, body: new Blob([text]), signal }
    const { body } = await api.request('POST', path, request)
    ids.push(...body.ids)
    return body
  }
  for await (const { replayed, done } of importFile(send, { ...imported, many: 'contracts', isCheck: true, signal })) {
    // What comes later in the file was not written either.
    if (replayed < done) break
  }
  return await Promise.all(ids.map((id) => retryWhileBusy(() => api.get(`contracts/${id}`, { signal }), signal)))
}
