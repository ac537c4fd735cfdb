import type { TextName } from '../languages/texts.ts'

/** In which colours the console is shown, '' as the device is set, each with the name of its text. */
export const THEMES: readonly (readonly [theme: string, TextName])[] = [
  ['', 'frame.themeOfDevice'],
  ['light', 'frame.themeLight'],
  ['dark', 'frame.themeDark'],
]

/** Where the browser keeps the theme that somebody chose here. */
const ITEM = 'mint-theme'

/** The theme that somebody chose here. */
export const chosenTheme = (): string => localStorage.getItem(ITEM) ?? ''

/** Shows another theme, and has the browser remember it. */
export function chooseTheme(theme: string): void {
  if (theme === '') localStorage.removeItem(ITEM)
  else localStorage.setItem(ITEM, theme)
  applyTheme()
}

/** Has the styles follow the theme that was chosen. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = chosenTheme()
}
