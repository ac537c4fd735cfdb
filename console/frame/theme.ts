import type { TextName } from '../languages/texts.ts'

/** The themes, '' to follow the device, each with the name of its label. */
export const THEMES: readonly (readonly [theme: string, TextName])[] = [
  ['', 'frame.themeOfDevice'],
  ['light', 'frame.themeLight'],
  ['dark', 'frame.themeDark'],
]

/** Where the browser stores the theme that somebody chose here. */
const STORAGE_KEY = 'mint-theme'

/** The theme that somebody chose here. */
export const chosenTheme = (): string => localStorage.getItem(STORAGE_KEY) ?? ''

/** Shows another theme, and has the browser remember it. */
export function chooseTheme(theme: string): void {
  if (theme === '') localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, theme)
  applyTheme()
}

/** Applies the chosen theme to the styles. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = chosenTheme()
}
