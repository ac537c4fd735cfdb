/** Takes how far an operation has come, `checking contracts` for example; answers false when nobody waits any more. */
export type Report = (what: string, done: number, total: number) => unknown
