/** What became of a command. */
export type CommandOutcome<State, Rejection> =
  | CommandDone<State>
  /** Refused by the domain. */
  | { readonly type: 'rejected'; readonly rejection: Rejection }
  /** The aggregate is at none of the versions that the caller named. */
  | { readonly type: 'precondition-failed'; readonly version: number }
  /** The commitId belongs to another request. */
  | { readonly type: 'key-reused' }

export interface CommandDone<State> {
  readonly type: 'done'
  /** As it stood after this command, also when it is an earlier answer given again. */
  readonly state: State
  readonly version: number
  /** Whether this is the answer to an earlier sending with the same commitId. */
  readonly replayed: boolean
  /** False: the aggregate was already as the command wants it, and no event was written. */
  readonly changed: boolean
}
