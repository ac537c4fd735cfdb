/**
 * The result; rejects with the signal's reason if that is aborted before. Leaves nothing behind, unlike Promise.race with
 * a promise that is settled late or never, which holds a reaction for each race until then.
 */
export function unlessAborted<Result>(signal: AbortSignal, made: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    made.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
