import { type Json, parseJson } from './json.ts'
import { ApiProblem, retryAfterOf, Unreachable } from './problem.ts'

/** What a request takes besides its method and path. */
export interface RequestOptions {
  /** Parameters that are undefined or empty are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: Json
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** A successful answer. */
export interface Answer {
  readonly body: Json
  readonly etag: string | undefined
}

/** The largest page of a list. */
const PAGE_SIZE = 100
/** How long an answer may take to begin, in milliseconds: longer than Mint itself waits for anything. */
const MAX_WAIT = 90_000

/**
 * Creates a client of the REST API with the key of whoever is signed in. `refused` is called when the API no longer
 * accepts that key. Paths are relative to Mint: `contracts/7`. All calls throw ApiProblem or Unreachable.
 */
export function createApi(key: () => string | undefined, refused = () => {}) {
  let writing = 0
  async function answered(method: string, path: string, options: RequestOptions): Promise<Response> {
    const used = key()
    const response = await send(method, path, options, used)
    if (response.ok) return response
    // Somebody may have signed in with another key meanwhile.
    if (response.status === 401 && key() === used) refused()
    throw await response
      .text()
      .then((text) => problemOf(response, text))
      .catch(unreachable)
  }
  async function request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const isWrite = method !== 'GET' && options.query?.dryRun === undefined
    writing += Number(isWrite)
    const response = await answered(method, path, options).finally(() => (writing -= Number(isWrite)))
    const etag = response.headers.get('ETag') ?? undefined
    // What can't be parsed is cut off, or comes from something between here and Mint.
    const body = await response
      .text()
      .then((text) => (text === '' ? undefined : parseJson(text)))
      .catch(unreachable)
    return { body, etag }
  }
  const get = async (path: string, options?: RequestOptions): Promise<Json> =>
    (await request('GET', path, options)).body
  return {
    request,
    /** Whether something is being saved that the page can no longer call back. */
    isWriting: () => writing > 0,
    /** The body of what a GET answers. */
    get,
    /** All rows of a list; `rows`: what its answers call them. */
    async all(path: string, rows: string, signal: AbortSignal): Promise<readonly Json[]> {
      const found: Json[] = []
      for (;;) {
        const page = await get(path, { query: { limit: PAGE_SIZE, offset: found.length }, signal })
        found.push(...page[rows])
        if (found.length >= page.total || page[rows].length === 0) return found
      }
    },
    /** An answer that is a file. */
    async file(path: string, options: RequestOptions = {}): Promise<Blob> {
      const response = await answered('GET', path, options)
      return await response.blob().catch(unreachable)
    },
  }
}

export type Api = ReturnType<typeof createApi>

async function send(
  method: string,
  path: string,
  { query = {}, body, headers = {}, signal }: RequestOptions,
  key: string | undefined,
): Promise<Response> {
  const isFile = body instanceof Blob
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error('No answer came.')), MAX_WAIT)
  return await fetch(urlOf(path, query), {
    method,
    headers: {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && !isFile && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
    signal: AbortSignal.any([late.signal, ...(signal ? [signal] : [])]),
    credentials: 'omit',
    cache: key === undefined ? 'default' : 'no-store',
  })
    .catch(unreachable)
    .finally(() => clearTimeout(timer))
}

/** Relative to the page, so that Mint may be behind a proxy that adds a prefix. */
function urlOf(path: string, query: NonNullable<RequestOptions['query']>): URL {
  const url = new URL(path, document.baseURI)
  url.hash = ''
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value))
  }
  return url
}

function unreachable(error: unknown): never {
  if (error instanceof DOMException && error.name === 'AbortError') throw error
  throw new Unreachable(error)
}

function problemOf(response: Response, text: string): ApiProblem {
  const isProblem = response.headers.get('Content-Type')?.startsWith('application/problem+json') === true
  // A proxy between here and Mint answers in its own format.
  return new ApiProblem(response.status, isProblem ? parseJson(text) : {}, retryAfterOf(response.headers))
}
