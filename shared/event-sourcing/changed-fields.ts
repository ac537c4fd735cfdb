/**
 * What an edit changes: those of the fields that `changes` would set to another value than `current` has. A field that
 * is absent from `changes`, or undefined, stays.
 */
export function changedFields<Fields extends object>(
  fields: readonly (keyof Fields)[],
  current: Fields,
  changes: Partial<Fields>,
): Partial<Fields> {
  const changed: Partial<Fields> = {}
  for (const field of fields) {
    if (changes[field] !== undefined && changes[field] !== current[field]) changed[field] = changes[field]
  }
  return changed
}
