/** The answer, or the error that `late` makes when it takes more than so many milliseconds. */
export function answerWithin<Answer>(
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
    // What answers from memory has done so by then: a timer for each would take 5 % of a GET.
    process.nextTick(() => {
      if (!isSettled) timer = setTimeout(() => reject(late()), milliseconds)
    })
  })
}
