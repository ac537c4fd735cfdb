import { html, type TemplateResult } from 'lit-html'
import { LANGUAGES } from '../languages/language.ts'
import { chooseLanguage, language, type TextName, text } from '../languages/texts.ts'
import type { ShownPage } from './shown-page.ts'
import { inBrowser } from './storage.ts'

/** The themes, '' to follow the device, each with the name of its label. */
const THEMES: readonly (readonly [theme: string, TextName])[] = [
  ['', 'frame.themeOfDevice'],
  ['light', 'frame.themeLight'],
  ['dark', 'frame.themeDark'],
]

/** Where the browser stores the theme that somebody chose here. */
const STORAGE_KEY = 'mint-theme'

const chosenTheme = (): string => inBrowser.get(STORAGE_KEY) ?? ''

/** Applies the theme that somebody chose here. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = chosenTheme()
}

function chooseTheme({ target }: Event): void {
  const { value } = target as HTMLSelectElement
  inBrowser.set(STORAGE_KEY, value || undefined)
  applyTheme()
}

/** Switches the language and the theme. Another language loads the console again, so that what was typed is lost. */
export function showPreferences(shown: ShownPage): TemplateResult {
  function languageChosen(event: Event): void {
    const select = event.target as HTMLSelectElement
    if (shown.mayLeave()) {
      shown.close()
      chooseLanguage(select.value)
      location.reload()
    } else select.value = language
  }
  return html`<footer class="preferences">
    <label>${text('frame.language')} <select @change=${languageChosen}>
      ${Object.entries(LANGUAGES).map(([code, name]) => html`<option value=${code} lang=${code} ?selected=${code === language}>${name}</option>`)}
    </select></label>
    <label>${text('frame.theme')} <select @change=${chooseTheme}>
      ${THEMES.map(([theme, name]) => html`<option value=${theme} ?selected=${theme === chosenTheme()}>${text(name)}</option>`)}
    </select></label>
  </footer>`
}
