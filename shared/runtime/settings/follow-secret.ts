import type { z } from 'zod'
import { type FileContents, type WatchSurroundings, watchFiles } from '../watch-files.ts'
import { readSettings, type SecretFiles } from './read-settings.ts'

interface FollowedSecret<Schema extends z.ZodType> {
  /** The setting. */
  readonly name: string
  readonly schema: Schema
  /** Its value at the start. */
  readonly value: z.output<Schema>
  readonly files: SecretFiles
}

/**
 * Returns a function for what `make` makes of a secret's current value: the configured one, or that in its file, which is
 * watched.
 */
export async function followSecret<Schema extends z.ZodType, Made>(
  { name, schema, value, files }: FollowedSecret<Schema>,
  surroundings: WatchSurroundings,
  make: (secret: z.output<Schema>) => Made,
): Promise<() => Made> {
  const twin = `${name}_FILE` as const
  const { [twin]: path } = files
  const read = (bytes: Buffer) => readSettings({ [name]: schema }, { [twin]: path }, () => bytes)[name]
  const parse = ({ [twin]: bytes }: FileContents) =>
    make((bytes === undefined ? value : read(bytes)) as z.output<Schema>)
  const use = name.toLowerCase().replaceAll('_', '-')
  const watched = await watchFiles({ ...surroundings, use, files: path === undefined ? {} : { [twin]: path }, parse })
  return watched.current
}
