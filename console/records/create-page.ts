import type { Field } from '../fields/fields.ts'
import type { Texts } from '../fields/texts.ts'
import type { Query } from '../frame/address.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { createForm } from './form.ts'
import { kindText, type RecordKind } from './kinds.ts'
import { createWriting } from './writing.ts'

/** The page that creates a record. Its address may say what fields hold at first: `#/contracts/new?clientId=…`. */
export function createPage(kind: RecordKind, context: PageContext): Page {
  const { query, go, link } = context
  const writing = createWriting(kind, context)
  /** What the service would choose by UTC. Retries of one save agree on it, also after midnight. */
  let suggested: Texts | undefined
  const { view, hasUnsavedInput } = createForm(
    {
      writing,
      texts: textsAtFirst(kind, writing.fields, query()),
      before: undefined,
      submitLabel: kindText('kind.create', kind),
      cancelLink: link(`/${kind.many}`),
      async submit(values) {
        suggested ??= kind.suggested?.()
        const body = { ...suggested, ...values }
        const { body: record } = await writing.write({ method: 'POST', path: kind.many, body })
        go(`/${kind.many}/${record[kind.id]}`, kindText('kind.created', kind))
      },
    },
    context,
  )
  return { title: () => kindText('kind.new', kind), view, hasUnsavedInput }
}

function textsAtFirst({ suggested }: RecordKind, fields: readonly Field[], query: Query): Texts {
  const texts = { ...suggested?.(), ...query }
  return Object.fromEntries(fields.map(({ name }) => [name, texts[name] ?? '']))
}
