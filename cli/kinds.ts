import type { KindName, KindPlural } from '../shared/kinds/registry.ts'

/**
 * The kinds of records, for the help and the arguments of a command; none on a command line that doesn't name it, since
 * they take 0.1 s to load.
 */
export async function kindsFor(
  command: string,
  words: readonly string[],
): Promise<readonly { readonly one: KindName; readonly many: KindPlural }[]> {
  if (!words.includes(command)) return []
  const { KINDS } = await import('../shared/kinds/registry.ts')
  return Object.entries(KINDS).map(([one, { many }]) => ({ one: one as KindName, many }))
}
