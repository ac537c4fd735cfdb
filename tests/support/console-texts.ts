import { type Catalogue, createCatalogue } from '../../console/languages/catalogue.ts'
import de from '../../console/languages/de.json' with { type: 'json' }
import en from '../../console/languages/en.json' with { type: 'json' }

/** The console's text in a browser with this locale. */
export function textsIn(locale: string): Catalogue<keyof typeof en> {
  return locale.startsWith('de') ? createCatalogue(de, 'de', [locale]) : createCatalogue(en, 'en')
}
