import { publishedBy } from '../../shared/events/published.ts'
import { plainKinds } from './kinds.ts'

/** What the businesses service publishes. */
export const published = publishedBy('businesses', plainKinds)
