import { html, type TemplateResult } from 'lit-html'
import { LANGUAGES } from '../languages/language.ts'
import { chooseLanguage, language, text } from '../languages/texts.ts'
import { confirmLeaving } from './history-guard.ts'
import type { ShownPage } from './shown-page.ts'
import { chooseTheme, chosenTheme, THEMES } from './theme.ts'

/** Switches the language and the theme. Another language loads the console again, so that what was typed is lost. */
export function showPreferences(shown: ShownPage): TemplateResult {
  function languageChosen(event: Event): void {
    const select = event.target as HTMLSelectElement
    if (!shown.hasUnsavedInput() || confirmLeaving()) {
      shown.close()
      chooseLanguage(select.value)
      location.reload()
    } else select.value = language
  }
  const themeChosen = (event: Event) => chooseTheme((event.target as HTMLSelectElement).value)
  return html`<footer class="preferences">
    <label>${text('frame.language')} <select @change=${languageChosen}>
      ${Object.entries(LANGUAGES).map(([code, name]) => html`<option value=${code} lang=${code} ?selected=${code === language}>${name}</option>`)}
    </select></label>
    <label>${text('frame.theme')} <select @change=${themeChosen}>
      ${THEMES.map(([theme, name]) => html`<option value=${theme} ?selected=${theme === chosenTheme()}>${text(name)}</option>`)}
    </select></label>
  </footer>`
}
