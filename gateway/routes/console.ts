import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { ONCE, sharingRuns } from '../../shared/async/shared-runs.ts'
import type { Console, ConsoleFile } from '../console/read-console.ts'
import { type FileRequest, type FixedFile, fileAnswers, pageHeaders } from '../http/file-answer.ts'
import { documentFile } from '../openapi/documented.ts'
import { PAGE_HEADERS } from '../openapi/headers.ts'
import { ProblemError } from '../problem.ts'
import type { Answer } from './answer.ts'
import type { PublicRoute } from './public.ts'

/** `/console`, a page to work with Mint in the browser, and the files that it loads. Read on the first request. */
export function consoleRoutes(): readonly PublicRoute[] {
  const files = sharingRuns(readInSubprocess, ONCE)
  const answers = sharingRuns(async () => answersOf(await files.join()), ONCE)
  const page: PublicRoute = {
    path: '/console',
    isPage: true,
    documented: {
      operationId: 'getConsole',
      summary: 'Get a page to work with Mint in the browser',
      answers: documentFile({ description: 'The page.', schema: z.string(), mediaType: 'text/html' }, PAGE_HEADERS),
    },
    answer: fileAnswers(async () => pageOf(await files.join())),
  }
  const file: PublicRoute = {
    path: '/console/*path',
    isPage: true,
    documented: undefined,
    // The page loads dozens of them at once.
    isUnlimited: true,
    answer: async (request) => await (await answers.join())(request),
  }
  return [page, file]
}

const run = promisify(execFile)
const MAX_CHARACTERS = 10_000_000
/**
 * A process that takes longer is considered stuck and is killed; the next request starts another one. Long enough for a
 * machine on which it gets a hundredth of a processor.
 */
const TIMEOUT_MILLISECONDS = 120_000

/**
 * Reads it in a process of its own, which takes 0.2 s: stripping the types here would block other requests, and a
 * thread would leave 40 MB of memory behind.
 */
async function readInSubprocess(): Promise<Console> {
  // Node warns that its function to strip types may change; Mint comes with the Node that it is tested with.
  const options = ['--disable-warning=ExperimentalWarning', fileURLToPath(import.meta.resolve(PROGRAM))]
  const limits = { maxBuffer: MAX_CHARACTERS, timeout: TIMEOUT_MILLISECONDS, killSignal: 'SIGKILL' } as const
  const { stdout } = await run(process.execPath, options, { env: {}, ...limits })
  return JSON.parse(stdout)
}

const PROGRAM = '../console/print-console.ts'

function pageOf({ page, importMapHash }: Console): FixedFile {
  return {
    content: Buffer.from(page),
    type: 'text/html; charset=utf-8',
    headers: pageHeaders({
      'script-src': `'self' '${importMapHash}'`,
      // Only lit-html's templates may turn text into parts of the page.
      'require-trusted-types-for': "'script'",
      'trusted-types': 'lit-html',
    }),
  }
}

type FileAnswer = (request: FileRequest) => Promise<Answer>

/** Answers each file under any version: during an upgrade the page may come from another gateway than its files. */
function answersOf({ version, files }: Console): FileAnswer {
  const stored = new Map(files.map((file) => [file.path, fileAnswers(async () => fileOf(file, IMMUTABLE))]))
  const current = new Map(files.map((file) => [file.path, fileAnswers(async () => fileOf(file))]))
  return async (request) => {
    const [, requested = '', path = ''] = /^\/console\/([^/]+)\/(.+)$/.exec(request.path) ?? []
    const answer = (requested === version ? stored : current).get(path)
    if (!answer) throw new ProblemError('route_not_found')
    return await answer(request)
  }
}

const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' }

function fileOf({ text, type }: ConsoleFile, headers: Readonly<Record<string, string>> = {}): FixedFile {
  return { content: Buffer.from(text), type, headers: { ...pageHeaders(), ...headers } }
}
