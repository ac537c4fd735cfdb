export interface SharedAnswerOptions {
  /** How long an answer counts, in milliseconds. */
  readonly freshMilliseconds: number
  /** Milliseconds that only go forward. */
  readonly now?: () => number
}

/** Asks once for all who want to know at the same time, or while the latest answer, or failure, still counts. */
export function sharedAnswer<Answer>(
  ask: () => Promise<Answer>,
  { freshMilliseconds, now = () => performance.now() }: SharedAnswerOptions,
): () => Promise<Answer> {
  let latest: Promise<Answer> | undefined
  let freshUntil = Number.POSITIVE_INFINITY
  return () => {
    if (latest === undefined || now() >= freshUntil) {
      freshUntil = Number.POSITIVE_INFINITY
      latest = ask().finally(() => {
        freshUntil = now() + freshMilliseconds
      })
    }
    return latest
  }
}
