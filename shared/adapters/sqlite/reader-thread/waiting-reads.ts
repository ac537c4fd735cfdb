import type { ReadRequest } from './reader-thread.ts'

const isList = ({ kind }: Pick<ReadRequest, 'kind'>): boolean => kind === 'list'

/** Reads that have not begun; none yet. */
export function createWaitingReads() {
  const lists: ReadRequest[] = []
  const reports: ReadRequest[] = []
  return {
    add(request: ReadRequest): void {
      const waiting = isList(request) ? lists : reports
      waiting.push(request)
    },
    /**
     * Takes the read that begins next, beside those under way; undefined: none may. Reports of a million rows take 100
     * MB each, so they take turns, and lists never wait for them.
     */
    take(underWay: readonly Pick<ReadRequest, 'kind'>[]): ReadRequest | undefined {
      return (underWay.every(isList) ? reports.shift() : undefined) ?? lists.shift()
    },
    isEmpty: (): boolean => lists.length + reports.length === 0,
  }
}
