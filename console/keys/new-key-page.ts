import { isUncertain } from '../api/problem.ts'
import type { Field } from '../fields/fields.ts'
import type { FieldProblems, Texts } from '../fields/texts.ts'
import { dayOf, startOfNextDay } from '../format/dates.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { createForm } from '../records/form.ts'
import { kind } from '../records/kinds.ts'
import { createWriting } from '../records/writing.ts'
import { createIssuedKey } from './secret.ts'

const apiKeys = kind('apiKey', 'api-keys', { notInList: [], linked: 'name' })

/** The page that creates an API key, and then shows it. */
export function newKeyPage(context: PageContext): Page {
  const { api, go, link } = context
  const issued = createIssuedKey(context)
  const writing = createWriting(apiKeys, context)
  const fields = writing.fields.map(withOwnTexts)
  const options = { texts: {}, before: undefined, check: checkLastDay, submit: create }
  const form = createForm(
    { ...options, writing: { ...writing, fields }, submitLabel: text('keys.create'), cancelLink: link('/keys') },
    context,
  )

  async function create({ expiresAt: lastDay, ...values }: Readonly<Record<string, unknown>>): Promise<void> {
    const expiresAt = typeof lastDay === 'string' ? startOfNextDay(lastDay) : null
    try {
      const { body } = await api.request('POST', 'api-keys', { body: { ...values, expiresAt } })
      issued.show(body, text('keys.createdNow'))
    } catch (error) {
      if (!isUncertain(error)) throw error
      // Sent again, it could make a second one.
      go('/keys', text('keys.uncertain'))
    }
  }

  return {
    title: () => text(issued.isShown() ? 'keys.copyTitle' : 'keys.newKey'),
    view: () => (issued.isShown() ? issued.view(link('/keys')) : form.view()),
    hasUnsavedInput: () => issued.question() || form.hasUnsavedInput(),
  }
}

/** The names of other kinds need no explanation. */
function withOwnTexts(field: Field): Field {
  return field.name === 'name' ? { ...field, hint: text('keys.nameHint'), asks: text('keys.nameMissing') } : field
}

function checkLastDay({ expiresAt = '' }: Texts): FieldProblems {
  return expiresAt !== '' && expiresAt < dayOf(new Date()) ? { expiresAt: text('keys.dayOver') } : {}
}
