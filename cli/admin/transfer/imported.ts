/** How an import ended. */
export interface Imported {
  readonly events: number
  /** How many of them an interrupted import had brought already. */
  readonly alreadyThere: number
}

/** After an import that did not come to its end. */
export const whatToDo = (target: string): string =>
  `${target} holds a part of the import and is served by nobody until it is whole: run the same import again, which goes ` +
  'on where it stopped, or remove the data.'
