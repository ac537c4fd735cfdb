/** A text with placeholders for values, `{name}`; one for each plural form of `count` where they differ. */
export type Entry = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>

/** The texts of one language. */
export interface Catalogue<Name extends string> {
  /** A text with its values filled in. Throws if a value is missing. */
  text(name: Name, values?: Readonly<Record<string, string | number>>): string
  /** The same for values that are templates: the parts, to be rendered one after the other. */
  parts(name: Name, values: Readonly<Record<string, unknown>>): readonly unknown[]
}

/** Creates a catalogue of the texts of a language; `locales`: how it writes numbers. */
export function createCatalogue<Name extends string>(
  entries: Readonly<Record<Name, Entry>>,
  language: string,
  locales: readonly string[] = [language],
): Catalogue<Name> {
  const plurals = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat([...locales])

  function parts(name: Name, values: Readonly<Record<string, unknown>>): readonly unknown[] {
    // A page that is loaded after an upgrade may use newer ones.
    const entry: Entry = entries[name] ?? name
    const form = typeof entry === 'string' ? entry : (entry[plurals.select(Number(values.count))] ?? entry.other ?? '')
    return form.split(/\{(\w+)\}/).map((part, index) => {
      if (index % 2 === 0) return part
      if (!Object.hasOwn(values, part)) throw new Error(`The text ${name} has no value for ${part}.`)
      const value = values[part]
      return typeof value === 'number' ? numbers.format(value) : value
    })
  }

  return { parts, text: (name, values = {}) => parts(name, values).join('') }
}
