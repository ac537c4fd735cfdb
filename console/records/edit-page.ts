import { html, nothing } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import { ApiProblem } from '../api/problem.ts'
import { createClientNames } from '../fields/client-names.ts'
import { recordFields } from '../fields/fields.ts'
import { type Texts, textsOf } from '../fields/texts.ts'
import { decimals } from '../format/formats.ts'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { createClosedTime } from './closed-time.ts'
import { createConflictChoice } from './conflict-choice.ts'
import { createForm, type RecordForm } from './form.ts'
import type { HistoryEvent } from './history.ts'
import type { RecordKind } from './kinds.ts'
import { createWriter } from './write.ts'

/** A record at one version. */
interface Version {
  readonly record: RecordJson
  readonly etag: string
}

/** What the page shows: the form, or the choice between two edits. */
type Step = Pick<RecordForm, 'view' | 'hasUnsavedInput'>

/** The page that edits a record. What somebody else saves meanwhile is shown, and never overwritten unseen. */
export function editPage(kind: RecordKind): (context: PageContext) => Page {
  return (context) => openEditor(kind, context)
}

function openEditor(kind: RecordKind, context: PageContext): Page {
  const { api, document, parameters, update, go, link } = context
  const path = `${kind.many}/${encodeURIComponent(parameters.id ?? '')}`
  const fields = recordFields(document, kind.schema, kind.creation).filter(({ isGiven }) => isGiven)
  const names = createClientNames(api, context)
  const send = createWriter(api)
  const closedTime = kind.isClosable ? createClosedTime(send, context) : undefined
  const write = closedTime?.write ?? send
  let step: Step | undefined

  const textsIn = ({ record }: Version): Texts => textsOf(fields, record, decimals)
  const fetchVersion = async (signal?: AbortSignal): Promise<Version> => {
    const { body: record, etag = '' } = await api.get(path, signal && { signal })
    return { record, etag }
  }
  const loader = createLoader<Version>(async (signal) => {
    const version = await fetchVersion(signal)
    step = formOver(version, textsIn(version))
    return version
  }, context)
  void loader.load()

  /** The form over a version, with texts that may differ from it already. */
  function formOver(version: Version, texts: Texts): RecordForm {
    const form: RecordForm = createForm(
      {
        kind,
        fields,
        texts,
        before: textsIn(version),
        names,
        warning: ({ serviceDate = '' }, wasRefused) =>
          closedTime?.notice([textsIn(version).serviceDate ?? '', serviceDate], wasRefused) ?? nothing,
        submitLabel: 'Save',
        cancelLink: link(`/${path}`),
        submit: (values) => save(version, values, form.texts),
      },
      context,
    )
    return form
  }

  async function save(version: Version, values: object, texts: () => Texts): Promise<void> {
    try {
      await write({ method: 'PATCH', path, body: values, ifMatch: version.etag })
      go(`/${path}`, 'Your changes are saved.')
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== 'precondition_failed') throw error
      await askAboutConflict(version, texts())
    }
  }

  async function askAboutConflict(version: Version, mine: Texts): Promise<void> {
    const current = await fetchVersion()
    const continueWith = (texts: Texts): RecordForm => {
      const form = formOver(current, texts)
      step = form
      update()
      return form
    }
    const versions = { before: textsIn(version), theirs: textsIn(current), mine }
    step = createConflictChoice(
      {
        fields,
        versions,
        names,
        edits: await editsAfter(version),
        save: (texts) => void continueWith(texts).submit(),
        discard: () => continueWith(versions.theirs),
      },
      context,
    )
    update()
  }

  /** What was saved after a version: its ETag is the number of events until then. */
  async function editsAfter({ etag }: Version): Promise<readonly HistoryEvent[]> {
    const { body } = await api.get(`${path}/history`, { query: { offset: etag.replaceAll('"', '') } })
    return body.events
  }

  function title(): string {
    const version = loader.value()
    return `Edit ${kind.one} ${version ? kind.nameOf(version.record) : parameters.id}`
  }

  return {
    title,
    view: () => showLoaded(loader, () => step?.view() ?? html``),
    hasUnsavedInput: () => step?.hasUnsavedInput() ?? false,
  }
}
