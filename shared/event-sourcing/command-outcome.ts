/** The result of a command. */
export type CommandOutcome<State, Rejection> =
  | CommandDone<State>
  /** Refused by the domain. */
  | { readonly type: 'rejected'; readonly rejection: Rejection }
  /** The aggregate's version is none of those that the caller expects. */
  | { readonly type: 'precondition-failed'; readonly version: number }
  /** The commitId belongs to another request. */
  | { readonly type: 'key-reused' }

export interface CommandDone<State> {
  readonly type: 'done'
  /** The state right after this command, also when the answer is a replay. */
  readonly state: State
  readonly version: number
  /** Whether this repeats the answer to an earlier request with the same commitId. */
  readonly replayed: boolean
  /** False when the aggregate was already as requested and no event was written. */
  readonly changed: boolean
}
