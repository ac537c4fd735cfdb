/** How an import ended. */
export interface Imported {
  readonly events: number
  /** How many of them an interrupted import had brought already. */
  readonly alreadyThere: number
}

/** What is filled by an import, for people. */
export interface NamedTarget {
  /** For example `DATA_DIR=./data`. */
  readonly name: string
  /** How to begin anew there, for example `remove the folder ./data`. */
  readonly howToEmpty: string
}

/** After an import that did not come to its end, although its file was whole. */
export const whatToDo = ({ name, howToEmpty }: NamedTarget): string =>
  `${name} holds a part of the import, and no service starts on it until it is whole: run the same import again, which ` +
  `resumes where it stopped, or ${howToEmpty}.`

/** After an import whose file turned out not to be whole: the same again would end in the same way. */
export const whatToDoAfterBroken = ({ name, howToEmpty }: NamedTarget, at: string): string =>
  `${name} holds a part of the import, and no service starts on it until it is whole: import the export of ${at} again ` +
  `from a file that is whole, which resumes where it stopped, or ${howToEmpty}. (A file is checked before the first ` +
  'write; a pipe only shows at its end whether it was whole.)'
