import type { Measure } from './section.ts'
import { measureConsole } from './sections/console.ts'
import { measureGet } from './sections/get.ts'
import { measureList } from './sections/list.ts'
import { measureLog } from './sections/log.ts'
import { measureMillion } from './sections/million.ts'
import { measurePost } from './sections/post.ts'
import { measureProductionGet } from './sections/production-get.ts'
import { measureProductionList } from './sections/production-list.ts'
import { measureProductionMillion } from './sections/production-million.ts'
import { measureProductionPost } from './sections/production-post.ts'
import { measureRefusals } from './sections/refusals.ts'
import { measureRelay } from './sections/relay.ts'
import { measureReplicas } from './sections/replicas.ts'
import { measureReports } from './sections/reports.ts'
import { measureSlowFsync } from './sections/slow-fsync.ts'
import { measureStart } from './sections/start.ts'

/** What `npm run bench` measures, in this order; `--only` takes these names. */
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
  log: measureLog,
  million: measureMillion,
  'production-million': measureProductionMillion,
  refusals: measureRefusals,
  reports: measureReports,
  console: measureConsole,
  start: measureStart,
} as const satisfies Record<string, Measure>

export type SectionName = keyof typeof SECTIONS
