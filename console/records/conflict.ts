import type { Field } from '../fields/fields.ts'
import type { Texts } from '../fields/texts.ts'

/** A field that differs between what was read, what somebody else has saved since, and what was typed here. */
export interface Difference {
  readonly field: Field
  readonly before: string
  readonly theirs: string
  readonly mine: string
  /**
   * `theirs`, `mine`: only one of the two has changed it; `same`: both to the same value; `conflict`: to different ones.
   */
  readonly type: 'theirs' | 'mine' | 'same' | 'conflict'
}

/** Whose value of a field is to be saved. */
export type Choice = 'theirs' | 'mine'

/** The three versions of a record's fields, as typed. */
export interface Versions {
  readonly before: Texts
  readonly theirs: Texts
  readonly mine: Texts
}

/** Compares versions field by field; fields that nobody changed are left out. */
export function differencesOf(fields: readonly Field[], versions: Versions): readonly Difference[] {
  return fields.flatMap((field) => {
    const textIn = (texts: Texts) => texts[field.name] ?? ''
    const [before, theirs, mine] = [textIn(versions.before), textIn(versions.theirs), textIn(versions.mine)]
    if (theirs === before && mine === before) return []
    return [{ field, before, theirs, mine, type: typeOf(before, theirs, mine) }]
  })
}

function typeOf(before: string, theirs: string, mine: string): Difference['type'] {
  if (theirs === mine) return 'same'
  if (mine === before) return 'theirs'
  return theirs === before ? 'mine' : 'conflict'
}

/** What is to be saved; undefined while a conflict is undecided. */
export function merged(
  { theirs }: Versions,
  differences: readonly Difference[],
  choices: Readonly<Record<string, Choice>>,
): Texts | undefined {
  const texts: Record<string, string> = { ...theirs }
  for (const { field, type, mine } of differences) {
    const choice = type === 'conflict' ? choices[field.name] : type
    if (choice === undefined) return undefined
    if (choice === 'mine') texts[field.name] = mine
  }
  return texts
}
