import { html } from 'lit-html'
import type { Api } from '../api/client.ts'
import type { RecordJson } from '../api/json.ts'
import { hasCode } from '../api/problem.ts'
import { type Texts, textsOf } from '../fields/texts.ts'
import { focusSoon } from '../frame/focus.ts'
import { openLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { createConflictChoice } from './conflict-choice.ts'
import { createForm, type RecordForm } from './form.ts'
import type { HistoryEvent } from './history.ts'
import { firm, idToShow, kindText, pathsOf, type RecordKind } from './kinds.ts'
import { createWriting } from './writing.ts'

/** A record at one version. */
interface Version {
  readonly record: RecordJson
  readonly etag: string
}

/** What the page shows: the form, or the choice between two edits. */
type Step = Pick<RecordForm, 'view' | 'hasUnsavedInput'>

/** The page that edits a record. What somebody else saves meanwhile is shown, and never overwritten unseen. */
export function editPage(kind: RecordKind, context: PageContext): Page {
  const { api, id, update, go, link, may } = context
  const { path, template } = pathsOf(kind, id)
  const writing = createWriting(kind, context)
  let step: Step | undefined

  const textsIn = ({ record }: Version): Texts => textsOf(writing.fields, record)
  const loader = openLoader<Version>(async (signal) => {
    const version = await fetchVersion(api, path, signal)
    step = formOver(version, textsIn(version))
    return version
  }, context)

  /** The form over a version, with texts that may differ from it already. */
  function formOver(version: Version, texts: Texts): RecordForm {
    const submit = (values: object) => save(version, values, form.texts)
    const options = {
      writing,
      texts,
      before: textsIn(version),
      submitLabel: text('word.save'),
      cancelLink: link(`/${path}`),
      submit,
    }
    const form: RecordForm = createForm(options, context)
    return form
  }

  async function save(version: Version, values: object, texts: () => Texts): Promise<void> {
    try {
      await writing.write({ method: 'PATCH', path, body: values, ifMatch: version.etag })
      if (kind === firm) void context.firm.load()
      go(`/${path}`, text('word.changesSaved'))
    } catch (error) {
      if (!hasCode(error, 'precondition_failed')) throw error
      await askAboutConflict(version, texts())
    }
  }

  async function askAboutConflict(version: Version, mine: Texts): Promise<void> {
    const current = await fetchVersion(api, path)
    const continueWith = (texts: Texts): RecordForm => {
      const form = formOver(current, texts)
      step = form
      update()
      return form
    }
    const versions = { before: textsIn(version), theirs: textsIn(current), mine }
    const edits = may(`${template}/history`, 'GET') ? await editsAfter(api, path, version) : []
    const save = (texts: Texts) => void continueWith(texts).submit()
    const discard = () => {
      continueWith(versions.theirs)
      focusSoon('h1')
    }
    step = createConflictChoice({ ...writing, versions, edits, save, discard }, context)
    update()
    focusSoon('.conflict [role="alert"]')
  }

  return {
    title: () =>
      kindText('kind.edit', kind, { name: loader.map(({ record }) => kind.nameOf(record), idToShow(kind, id)) }),
    view: () => showLoaded(loader, () => step?.view() ?? html``),
    hasUnsavedInput: () => step?.hasUnsavedInput() ?? false,
  }
}

async function fetchVersion(api: Api, path: string, signal?: AbortSignal): Promise<Version> {
  const { body: record, etag = '' } = await api.request('GET', path, signal && { signal })
  return { record, etag }
}

/** What was saved after a version, whose ETag is the number of events up to it. */
async function editsAfter(api: Api, path: string, { etag }: Version): Promise<readonly HistoryEvent[]> {
  return (await api.get(`${path}/history`, { query: { offset: etag.replaceAll('"', '') } })).events
}
