import { nothing } from 'lit-html'
import { createClientNames } from '../fields/client-names.ts'
import { type Field, recordFields } from '../fields/fields.ts'
import type { Texts } from '../fields/texts.ts'
import type { Query } from '../frame/address.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { createClosedTime } from './closed-time.ts'
import { createForm } from './form.ts'
import type { RecordKind } from './kinds.ts'
import { createWriter } from './write.ts'

/** The page that creates a record. Its address may say what fields hold at first: `#/contracts/new?clientId=…`. */
export function createPage(kind: RecordKind): (context: PageContext) => Page {
  return (context) => {
    const { api, document, query, go, link } = context
    const fields = recordFields(document, kind.schema, kind.creation).filter(({ isGiven }) => isGiven)
    const names = createClientNames(api, context)
    const send = createWriter(api)
    const closedTime = kind.isClosable ? createClosedTime(send, context) : undefined
    const write = closedTime?.write ?? send
    /** What the service would choose by UTC. Retries of one save agree on it, also after midnight. */
    let suggested: Texts | undefined
    const form = createForm(
      {
        kind,
        fields,
        texts: textsAtFirst(kind, fields, query()),
        before: undefined,
        names,
        warning: ({ serviceDate = '' }, wasRefused) => closedTime?.notice([serviceDate], wasRefused) ?? nothing,
        submitLabel: `Create ${kind.one}`,
        cancelLink: link(`/${kind.many}`),
        async submit(values) {
          suggested ??= kind.suggested?.()
          const { body: record } = await write({ method: 'POST', path: kind.many, body: { ...suggested, ...values } })
          go(`/${kind.many}/${record[kind.id]}`, `The ${kind.one} is created.`)
        },
      },
      context,
    )
    return { title: () => `New ${kind.one}`, view: form.view, hasUnsavedInput: form.hasUnsavedInput }
  }
}

function textsAtFirst({ suggested }: RecordKind, fields: readonly Field[], query: Query): Texts {
  const texts = { ...suggested?.(), ...query }
  return Object.fromEntries(fields.map(({ name }) => [name, texts[name] ?? '']))
}
