import type { z } from 'zod'
import { CommandFailure, EXIT } from '../exit.ts'

/**
 * Checks input by the rules of the REST API. `words`: the fields' names on the command line; `hints`: what else is
 * accepted there, added to the messages. Throws a usage failure with a line for each violation.
 */
export async function checkedInput<Schema extends z.ZodObject>(
  schema: Schema,
  input: Record<string, unknown>,
  words: Readonly<Record<string, string>>,
  hints: Readonly<Record<string, string>> = {},
): Promise<z.output<Schema>> {
  const { check } = await import('../../shared/fields/check.ts')
  const checked = check(schema, input)
  if (checked.type === 'valid') return checked.value
  const lines = checked.violations.map(({ pointer, message }) => {
    const [field = '', index] = pointer.slice(1).split('/')
    const value = input[field]
    // The offending one of several values.
    const one = Array.isArray(value) && index !== undefined ? ` ${value[Number(index)]}` : ''
    return [`${own(words, field) ?? field}${one}:`, message, own(hints, field)].join(' ').trimEnd()
  })
  throw new CommandFailure(lines.join('\n'), { exitCode: EXIT.usage })
}

/** A field that users name may be called `__proto__` or `constructor`. */
const own = (texts: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined
