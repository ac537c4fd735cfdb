/** The languages of the console, by their code, each under its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français' } as const

export type Language = keyof typeof LANGUAGES

const isLanguage = (code: string): code is Language => Object.hasOwn(LANGUAGES, code)

/** The language to show: what somebody chose here, else the first of the browser's that the console has, else English. */
export function languageOf(chosen: string | null, locales: readonly string[]): Language {
  const codes = [chosen ?? '', ...locales.map((locale) => locale.split('-')[0] ?? '')]
  return codes.find(isLanguage) ?? 'en'
}

/** The browser's locales of a language, or else the language itself: how dates and numbers are written. */
export function localesOf(language: Language, locales: readonly string[]): readonly string[] {
  const own = locales.filter((locale) => locale.split('-')[0] === language)
  return own.length > 0 ? own : [language]
}
