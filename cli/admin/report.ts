/** Reports progress (for example `checking contracts`, how much is done, of how much). Returns false once the caller has left. */
export type Report = (what: string, done: number, total: number) => unknown
