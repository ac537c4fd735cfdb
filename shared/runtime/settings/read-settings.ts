import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'

/** Invalid settings: one line for each, with its name, its value and the allowed values. */
export class SettingsError extends Error {
  readonly lines: readonly string[]

  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.name = 'SettingsError'
    this.lines = lines
  }
}

/**
 * Marks a setting whose value must not be shown (a key, a password); its `…_FILE` variant may name a file with the
 * value.
 */
export const SECRET = { secret: true }

/** A TCP port; 0 is any free one. */
export const port = (standard: number) => wholeNumber({ min: 0, max: 65535, standard }, 'a port from 0 to 65535')

/** A whole number in decimal digits within bounds. `allowed` describes it in words. */
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

/** One of a few words. */
export const choice = <const Words extends readonly [string, ...string[]]>(words: Words, standard: Words[number]) =>
  z
    .enum(words)
    .default(standard as never)
    .meta({ allowed: words.join(', ') })

/** Texts separated by commas, with spaces or not. Unless `min` is given, there may be none. */
export function listOf(isAllowed: (entry: string) => boolean, allowed: string, { min = 0 } = {}) {
  return z
    .string()
    .default('')
    .transform((list) => list.split(',').map((entry) => entry.trim()))
    .transform((entries) => entries.filter((entry) => entry !== ''))
    .refine((entries) => entries.length >= min && entries.every(isAllowed))
    .meta({ allowed: `${allowed}, separated by commas` })
}

/** Whether a text is an address with its port: `kafka:9092`, `10.0.0.1:50051`, `[::1]:50051`. */
export function isHostAndPort(text: string): boolean {
  const port = Number(/^(?:\[[^\s\]]+\]|[^\s/:,[\]]+):(\d{1,5})$/.exec(text)?.[1])
  return port >= 1 && port <= 65_535
}

/** Paths of the files with secrets, by the names of their `…_FILE` settings. */
export type SecretFiles = Readonly<Record<`${string}_FILE`, string>>

/**
 * Reads settings from a process's environment. An empty value counts as absent; unknown names are ignored. A secret may
 * be in a file, which `readFile` reads, given the name of its `…_FILE` setting and its path. Throws SettingsError with
 * one line per invalid value.
 */
export function readSettings<Shape extends z.ZodRawShape>(
  shape: Shape,
  environment: Readonly<Record<string, string | undefined>>,
  readFile: (twin: string, path: string) => Uint8Array | undefined = (_, path) => {
    requireRegular(path)
    return readFileSync(path)
  },
): z.output<z.ZodObject<Shape>> & { readonly files: SecretFiles } {
  const files: Record<string, string> = {}
  const lines = new Map<string, string>()
  const given: Record<string, string | undefined> = {}
  for (const [name, schema] of Object.entries(shape)) {
    given[name] = environment[name] || undefined
    const twin = `${name}_FILE`
    const path = environment[twin]
    if (!path || !metaOf(schema as z.ZodType).secret) continue
    files[twin] = path
    if (given[name] !== undefined) lines.set(name, `${name} and ${twin} are both set; set one of them`)
    try {
      given[name] = Buffer.from(readFile(twin, path) ?? '')
        .toString()
        .replace(/\r?\n$/, '')
    } catch (error) {
      lines.set(name, `${twin}=${path} can't be read (${(error as Error).message}); needed: a file that Mint may read`)
    }
  }
  const result = z.object(shape).safeParse(given)
  if (result.success && lines.size === 0) return { ...result.data, files }
  for (const { path } of result.error?.issues ?? []) {
    const name = String(path[0])
    if (!lines.has(name)) lines.set(name, complaint(name, shape[name] as z.ZodType, given[name], files[`${name}_FILE`]))
  }
  throw new SettingsError([...lines.values()])
}

/** Throws for a pipe or a device, which may never end. Whether there is a file shows when it is read. */
export function requireRegular(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is not a regular file')
}

const metaOf = (schema: z.ZodType) => (schema.meta() ?? {}) as { readonly allowed?: string; readonly secret?: boolean }

function complaint(name: string, schema: z.ZodType, given: string | undefined, path: string | undefined): string {
  const { allowed = 'another value', secret } = metaOf(schema)
  if (path !== undefined) return `${name}_FILE=${path} has an invalid value; allowed: ${allowed}`
  if (given === undefined) return `${name} is not set; needed: ${allowed}`
  return `${name}=${secret ? '(not shown)' : given} can't be used; allowed: ${allowed}`
}
