/** What puts a row in its place in lists. */
export interface Place {
  readonly _id: string
  readonly createdAt: number
  readonly order: number | string
}

/** As the database orders them: numbers by value, texts by their UTF-8 bytes. */
export function newestFirst(one: Place, other: Place): number {
  if (one.createdAt !== other.createdAt) return other.createdAt - one.createdAt
  if (typeof one.order === 'number' && typeof other.order === 'number') return other.order - one.order
  return Buffer.compare(Buffer.from(String(other.order)), Buffer.from(String(one.order)))
}
