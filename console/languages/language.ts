/** The languages of the console, by their code, each under its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français' } as const

export type Language = keyof typeof LANGUAGES

const isLanguage = (code: string): code is Language => Object.hasOwn(LANGUAGES, code)

/** The language to show: what somebody chose here, else the first of the browser's that the console has, else English. */
export function languageOf(chosen: string | null, locales: readonly string[]): Language {
  const codes = [chosen ?? '', ...locales.map((locale) => locale.split('-')[0] ?? '')]
  return codes.find(isLanguage) ?? 'en'
}

/**
 * How dates and numbers are written: as the browser does, even if the console doesn't have its language. If somebody
 * chose a language here, as the browser writes that one, or else as is usual in it.
 */
export function localesOf(chosen: string | null, locales: readonly string[]): readonly string[] {
  if (chosen === null || !isLanguage(chosen)) return locales
  const own = locales.filter((locale) => locale.split('-')[0] === chosen)
  return own.length > 0 ? own : [chosen]
}
