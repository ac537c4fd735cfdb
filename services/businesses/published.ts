import { type Published, publishedKinds } from '../../shared/events/published.ts'
import { plainKinds } from './kinds.ts'

/** What others are notified of by the businesses service. */
export const published: Published = { part: 'businesses', records: publishedKinds(plainKinds) }
