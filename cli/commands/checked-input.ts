import type { z } from 'zod'
import { CommandFailure, EXIT } from '../exit.ts'

/**
 * Applies the same rules as the REST API. `words`: what the fields are called on the command line; `also`: what it takes
 * besides. Throws a usage failure with a line for each violation.
 */
export async function checkedInput<Schema extends z.ZodObject>(
  schema: Schema,
  input: Record<string, unknown>,
  words: Readonly<Record<string, string>>,
  also: Readonly<Record<string, string>> = {},
): Promise<z.output<Schema>> {
  const { check } = await import('../../shared/fields/check.ts')
  const checked = check(schema, input)
  if (checked.type === 'valid') return checked.value
  const lines = checked.violations.map(({ pointer, message }) => {
    const [field = '', index] = pointer.slice(1).split('/')
    const value = input[field]
    // The offending one of several values.
    const one = Array.isArray(value) && index !== undefined ? ` ${value[Number(index)]}` : ''
    return [`${own(words, field) ?? field}${one}:`, message, own(also, field)].join(' ').trimEnd()
  })
  throw new CommandFailure(lines.join('\n'), { exitCode: EXIT.usage })
}

/** A field that users name may be called `__proto__` or `constructor`. */
const own = (texts: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined
