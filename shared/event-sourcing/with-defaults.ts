/** What a caller gives of a new record: fields that have a default may be left out. */
export type Given<Fields, Defaulted extends keyof Fields> = Omit<Fields, Defaulted> & Partial<Fields>

/** All fields of a new record: those that are given, else their defaults. */
export function withDefaults<Fields extends object, Defaulted extends keyof Fields>(
  given: Given<Fields, Defaulted>,
  defaults: Pick<Fields, Defaulted>,
): Fields {
  const all: Record<string, unknown> = { ...defaults }
  for (const [name, value] of Object.entries(given)) if (value !== undefined) all[name] = value
  return all as Fields
}
