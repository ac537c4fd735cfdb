import { inBrowser } from '../frame/storage.ts'
import { createCatalogue, type Entry } from './catalogue.ts'
import type en from './en.json'
import { languageOf, localesOf } from './language.ts'

/** Names a text. */
export type TextName = keyof typeof en

/** Where the browser stores the language that somebody chose here. */
const STORAGE_KEY = 'mint-language'

const chosen = inBrowser.get(STORAGE_KEY) ?? null

/** The language that the console shows. A change takes effect when the page is reloaded. */
export const language = languageOf(chosen, navigator.languages)

/** How dates and numbers are written. */
export const locales: readonly string[] = localesOf(chosen, navigator.languages)

/** Has the browser remember another language. */
export const chooseLanguage = (chosen: string): void => inBrowser.set(STORAGE_KEY, chosen)

const { default: entries }: { default: Readonly<Record<TextName, Entry>> } = await import(`./${language}.json`, {
  with: { type: 'json' },
})

export const { text, parts } = createCatalogue(entries, language, locales)

/** A text for something that the API names; undefined: it is newer than the texts. */
export const textIfAny = (name: string, values?: Parameters<typeof text>[1]): string | undefined =>
  Object.hasOwn(entries, name) ? text(name as TextName, values) : undefined
