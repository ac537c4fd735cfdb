/** Takes how far an operation has come, for a person; `what` for example `checking contracts`. */
export type Report = (what: string, done: number, total: number) => void
