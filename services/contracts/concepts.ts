import type { ConceptsOf } from '../../shared/kinds/record-services.ts'
import { contractConcept } from './contract/concept.ts'
import { plainKinds } from './kinds.ts'

/** Every kind of record that this service stores: its views, and what it publishes, follow from this table. */
export const concepts = { contract: contractConcept, ...plainKinds } satisfies ConceptsOf<'contracts'>
