/** The input for a new record: fields with a default may be omitted. */
export type Given<Fields, Defaulted extends keyof Fields> = Omit<Fields, Defaulted> & Partial<Fields>

/** All fields of a new record: those given, otherwise their defaults. */
export function withDefaults<Fields extends object, Defaulted extends keyof Fields>(
  given: Given<Fields, Defaulted>,
  defaults: Pick<Fields, Defaulted>,
): Fields {
  const all: Record<string, unknown> = { ...defaults }
  for (const [name, value] of Object.entries(given)) if (value !== undefined) all[name] = value
  return all as Fields
}
