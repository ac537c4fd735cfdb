/** The answer, or an error that says who did not answer, when it takes more than so many milliseconds. */
export async function answerWithin<Answer>(
  milliseconds: number,
  answer: Promise<Answer>,
  who: string,
): Promise<Answer> {
  const tooLate = Promise.withResolvers<never>()
  const end = (): void => tooLate.reject(new Error(`${who} does not answer within ${milliseconds} ms`))
  const timer = setTimeout(end, milliseconds)
  try {
    return await Promise.race([answer, tooLate.promise])
  } finally {
    clearTimeout(timer)
  }
}
