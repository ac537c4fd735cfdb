/**
 * What an edit changes: the fields that `changes` would set to another value than `current` has. A field that is
 * undefined stays. Names are not looked at: whoever takes changes from a caller takes those alone that can be edited.
 */
export function changedFields<Fields extends object>(current: Fields, changes: Partial<Fields>): Partial<Fields> {
  const isChange = ([field, value]: [string, unknown]): boolean =>
    value !== undefined && value !== current[field as keyof Fields]
  return Object.fromEntries(Object.entries(changes).filter(isChange)) as Partial<Fields>
}
