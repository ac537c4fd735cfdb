import { z } from 'zod'

/** Settings that can't be used: one line for each, with its name, its value and what is allowed. */
export class SettingsError extends Error {
  readonly lines: readonly string[]

  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.name = 'SettingsError'
    this.lines = lines
  }
}

/** A setting whose value must not be shown (a key, a password). */
export const SECRET = { secret: true }

/** A TCP port; 0 is any free one. */
export const port = (standard: number) => wholeNumber({ min: 0, max: 65535, standard }, 'a port from 0 to 65535')

/** A whole number in decimal digits within bounds. `allowed` says so in words. */
export function wholeNumber(
  { min, max, standard }: { min: number; max: number; standard: number },
  allowed = `a whole number from ${min} to ${max}`,
) {
  return z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(standard)
    .meta({ allowed })
}

/** `true` or `false`. */
export const flag = (standard: boolean) =>
  z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .default(standard)
    .meta({ allowed: 'true or false' })

/** One of a few words. */
export const choice = <const Words extends readonly [string, ...string[]]>(words: Words, standard: Words[number]) =>
  z
    .enum(words)
    .default(standard as never)
    .meta({ allowed: words.join(', ') })

/** How much is logged. */
export const logLevel = () => choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info')

/**
 * Reads settings from an environment of a process. An empty value counts as absent; names that the schema
 * does not know are left alone. Throws SettingsError with one line for every wrong value.
 */
export function readSettings<Shape extends z.ZodRawShape>(
  shape: Shape,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<z.ZodObject<Shape>> {
  const given = Object.fromEntries(Object.keys(shape).map((name) => [name, environment[name] || undefined]))
  const result = z.object(shape).safeParse(given)
  if (result.success) return result.data
  const wrong = new Set(result.error.issues.map((issue) => String(issue.path[0])))
  throw new SettingsError([...wrong].map((name) => complaint(name, given[name], shape[name] as z.ZodType)))
}

function complaint(name: string, value: string | undefined, schema: z.ZodType): string {
  const { allowed = 'another value', secret } = (schema.meta() ?? {}) as { allowed?: string; secret?: boolean }
  if (value === undefined) return `${name} is not set; needed: ${allowed}`
  return `${name}=${secret ? '(not shown)' : value} can't be used; allowed: ${allowed}`
}
