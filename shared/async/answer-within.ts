/** The answer, or the error that `late` makes when it takes more than this many milliseconds. */
export function answerWithin<Answer>(
  milliseconds: number,
  answer: Promise<Answer>,
  late: () => Error = () => new Error(`no answer within ${milliseconds} ms`),
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), milliseconds)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
