/** The answer; rejects with the error that `late` makes if it takes longer than this many milliseconds. */
export function withTimeout<Answer>(
  milliseconds: number,
  answer: Promise<Answer>,
  late: () => Error = () => new Error(`no answer within ${milliseconds} ms`),
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let isSettled = false
    let timer: NodeJS.Timeout | undefined
    const settle = (): void => {
      isSettled = true
      clearTimeout(timer)
    }
    answer.then(
      (value) => {
        settle()
        resolve(value)
      },
      (error) => {
        settle()
        reject(error)
      },
    )
    // Answers from memory have arrived by then, without a timer, which would take 5 % of a GET.
    process.nextTick(() => {
      if (!isSettled) timer = setTimeout(() => reject(late()), milliseconds)
    })
  })
}
