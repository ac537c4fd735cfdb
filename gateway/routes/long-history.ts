import { createPace } from '../../shared/budget/pace.ts'
import { type Answer, type ChunkedAnswer, listed } from './answer.ts'
import { nextPage } from './next-page.ts'

type Page = Record<'limit' | 'offset', number>

/**
 * Answers with a page of a history. Each event may be as large as two records, so a long page is read and sent piece by
 * piece. A history only grows at its end, so the pieces make up the page as it was when the first was read.
 */
export async function historyAnswer(
  { limit, offset }: Page,
  readPage: (page: Page) => Promise<{ readonly events: readonly object[]; readonly total: number }>,
): Promise<Answer | ChunkedAnswer> {
  const pace = createPace(limit)
  const text = (events: readonly object[]): string => {
    const joined = events.map((event) => JSON.stringify(event)).join()
    pace.learn(events.length, joined.length)
    return joined
  }
  const { events, total } = await readPage({ limit: pace.rows(), offset })
  let start = `{"events":[${text(events)}`
  const end = `],"total":${total}}`
  const last = Math.min(offset + limit, total)
  const next = nextPage({ limit, offset }, { count: last - offset, total })
  let read = offset + events.length
  if (read >= last) return listed(start + end, next)

  async function makeChunk(): Promise<string | undefined> {
    if (start !== '') {
      const taken = start
      start = ''
      return taken
    }
    if (read >= last) return undefined
    const { events } = await readPage({ limit: Math.min(pace.rows(), last - read), offset: read })
    read += events.length
    return `,${text(events)}${read < last ? '' : end}`
  }
  return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, makeChunk, next }
}
