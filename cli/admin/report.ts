/**
 * Takes how far an operation has come, for a person; `what` for example `checking contracts`. Answers false when nobody
 * waits for the result any more.
 */
export type Report = (what: string, done: number, total: number) => unknown
