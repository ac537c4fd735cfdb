import { nothing, type TemplateResult } from 'lit-html'
import { createClientNames } from '../fields/client-names.ts'
import { recordFields } from '../fields/fields.ts'
import type { PageContext } from '../frame/page.ts'
import { createClosedPeriodWarning } from './closed-period-warning.ts'
import type { RecordKind } from './kinds.ts'
import { createWriter } from './write.ts'

/** What the pages that write a record of a kind have in common. */
export function createWriting(kind: RecordKind, context: PageContext) {
  const { api, document } = context
  const send = createWriter(api)
  const closedPeriod = kind.isClosable ? createClosedPeriodWarning(send, context) : undefined
  return {
    kind,
    /** Those that callers set. */
    fields: recordFields(document, kind.schema, kind.creation).filter(({ isGiven }) => isGiven),
    names: createClientNames(context),
    write: closedPeriod?.write ?? send,
    /** The warning to show before sending, for these service dates ('': today). `wasRefused`: the books are closed for one. */
    warning: (days: readonly string[], wasRefused: boolean): TemplateResult | typeof nothing =>
      closedPeriod?.notice(days, wasRefused) ?? nothing,
  }
}

export type RecordWriting = ReturnType<typeof createWriting>
