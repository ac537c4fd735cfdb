/** What stands in a path where its route has names, decoded. */
export type PathParameters = Readonly<Record<string, string>>

interface Found<Value> {
  readonly value: Value
  readonly parameters: PathParameters
}

/** Finds what belongs to a path among templates such as `/contracts/:id`; a name stands for one part that is not empty. */
export function createRouteTable<Value>(
  entries: readonly (readonly [template: string, value: Value])[],
): (path: string) => Found<Value> | undefined {
  const isTemplate = ([path]: readonly [string, Value]): boolean => path.includes(':')
  const fixed = new Map(entries.filter((entry) => !isTemplate(entry)))
  const templates = entries.filter(isTemplate).map(([template, value]) => ({ pattern: patternOf(template), value }))
  return (path) => {
    const value = fixed.get(path)
    if (value !== undefined) return { value, parameters: {} }
    for (const { pattern, value } of templates) {
      const { groups } = pattern.exec(path) ?? {}
      if (groups) return { value, parameters: decoded(groups) }
    }
    return undefined
  }
}

const patternOf = (template: string): RegExp => new RegExp(`^${template.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`)

function decoded(groups: Readonly<Record<string, string>>): PathParameters {
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]))
}
