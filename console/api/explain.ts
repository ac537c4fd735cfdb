import { language, text, textIfAny } from '../languages/texts.ts'
import { ApiProblem, Explained, Unreachable, type Violation } from './problem.ts'

/** A sentence for the reader that says what to do: where the texts have none, the API's own, which is in English. */
export function explain(error: unknown): string {
  return ownSentence(error) ?? (error as Error).message
}

/** The language of that sentence, where it isn't the console's. */
export function languageOf(error: unknown): string | undefined {
  return language !== 'en' && ownSentence(error) === undefined ? 'en' : undefined
}

/** undefined: only the API has one. */
function ownSentence(error: unknown): string | undefined {
  if (error instanceof Unreachable) return text('problem.unreachable')
  if (error instanceof Explained) return error.message
  if (!(error instanceof ApiProblem)) {
    // What browsers say if they can't fetch a module, or it doesn't fit those that were fetched before an upgrade.
    if (/\bmodule\b/.test(String(error))) return text('problem.notLoaded')
    return text('problem.failed', { problem: String(error) })
  }
  const { status, code, message } = error
  // What the API says about keys is for programs.
  if (status === 401) return text('problem.keyRejected')
  const [scope = ''] = /\w+:\w+/.exec(message) ?? []
  const said = textIfAny(`problem.${code}`, { message, scope })
  if (said !== undefined) return said
  if (status === 403) return text('problem.forbidden', { message })
  return code === '' ? text('problem.status', { status: String(status) }) : undefined
}

/** What is wrong with a value. In English mostly the API's own sentence, which says more than its code. */
export function explainViolation({ code, message }: Pick<Violation, 'code' | 'message'>): string {
  return textIfAny(`violation.${code}`, { message }) ?? textIfAny(`problem.${code}`, { message }) ?? message
}

/** What an error says is wrong with fields and parameters: the name of each, and a sentence. */
export function violationsIn(error: unknown): readonly (readonly [name: string, sentence: string])[] {
  const errors = error instanceof ApiProblem ? error.errors : []
  return errors.map((violation) => [violation.pointer.slice(1), explainViolation(violation)])
}
