import { html } from 'lit-html'
import type { Page, PageContext } from '../frame/page.ts'
import type { RecordKind } from './kinds.ts'

export function editPage(kind: RecordKind): (context: PageContext) => Page {
  return () => ({ title: () => kind.title, view: () => html`` })
}
