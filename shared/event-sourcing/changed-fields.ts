/**
 * The fields of `changes` whose value differs from `current`; undefined means unchanged. Field names are not checked:
 * callers must pass editable fields only.
 */
export function changedFields<Fields extends object>(current: Fields, changes: Partial<Fields>): Partial<Fields> {
  const isChange = ([field, value]: [string, unknown]): boolean =>
    value !== undefined && value !== current[field as keyof Fields]
  return Object.fromEntries(Object.entries(changes).filter(isChange)) as Partial<Fields>
}
