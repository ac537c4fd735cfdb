import type { Measure } from './section.ts'
import { measureConsole } from './sections/console.ts'
import { measureGet, measureList, measurePost, measureSlowFsync } from './sections/embedded.ts'
import { measureFeed } from './sections/feed.ts'
import { measureLog } from './sections/log.ts'
import { measureMillion } from './sections/million.ts'
import {
  measureProductionGet,
  measureProductionList,
  measureProductionPost,
  measureReplicas,
} from './sections/production.ts'
import { measureProductionMillion } from './sections/production-million.ts'
import { measureRefusals } from './sections/refusals.ts'
import { measureRelay } from './sections/relay.ts'
import { measureReports } from './sections/reports.ts'
import { measureStart } from './sections/start.ts'
import { measureTraces } from './sections/traces.ts'

/** The sections of `npm run bench`, in order; `--only` takes these names. */
export const SECTIONS = {
  get: measureGet,
  list: measureList,
  post: measurePost,
  'slow-fsync': measureSlowFsync,
  'production-get': measureProductionGet,
  'production-post': measureProductionPost,
  'production-list': measureProductionList,
  replicas: measureReplicas,
  relay: measureRelay,
  feed: measureFeed,
  log: measureLog,
  million: measureMillion,
  'production-million': measureProductionMillion,
  refusals: measureRefusals,
  traces: measureTraces,
  reports: measureReports,
  console: measureConsole,
  start: measureStart,
} as const satisfies Record<string, Measure>

export type SectionName = keyof typeof SECTIONS
