/** What an operation says while it runs: how far it has come, or a part of its result. */
export type Message<Item> =
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'item'; readonly item: Item }

export interface Progress {
  /** For a person, for example `checking contracts`. */
  readonly what: string
  readonly done: number
  readonly total: number
}

/** An operation under way; whoever stops reading ends it. */
export type Running<Item> = AsyncIterable<Message<Item>>

/** A part of the result. */
export const item = <Item>(value: Item): Message<Item> => ({ type: 'item', item: value })

/** How far it has come: `done` of `total`. */
export const progress = (what: string, done: number, total: number): Message<never> => ({
  type: 'progress',
  progress: { what, done, total },
})
