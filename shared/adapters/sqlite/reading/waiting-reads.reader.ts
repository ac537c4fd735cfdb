interface Kinded {
  readonly kind: string
}

const isList = ({ kind }: Kinded): boolean => kind === 'list'

/** Reads that have not begun; none yet. */
export function createWaitingReads<Request extends Kinded>() {
  const lists: Request[] = []
  const reports: Request[] = []
  return {
    add(request: Request): void {
      const waiting = isList(request) ? lists : reports
      waiting.push(request)
    },
    /**
     * Takes the read that begins next, beside those under way; undefined: none may. Reports of a million rows take 100
     * MB each, so they take turns, and lists never wait for them.
     */
    take(underWay: readonly Kinded[]): Request | undefined {
      return (underWay.every(isList) ? reports.shift() : undefined) ?? lists.shift()
    },
    isEmpty: (): boolean => lists.length + reports.length === 0,
  }
}
