import { type Published, publishedKinds } from '../../shared/events/published.ts'
import { plainKinds } from './kinds.ts'

/** What the businesses service publishes. */
export const published: Published = { part: 'businesses', records: publishedKinds(plainKinds) }
