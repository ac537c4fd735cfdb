/** The requests of mint.businesses.v1 with the rules of their fields. */
import { z } from 'zod'
import { businessFields } from '../../../shared/fields/business-fields.ts'
import { uuidLike } from '../../../shared/fields/identifiers.ts'
import { limit, listRequest, offset } from '../../../shared/fields/lists.ts'
import { timestamp } from '../../../shared/fields/timestamp.ts'
import type { BusinessFields } from '../business/events.ts'

export const getBusinessRequest = z.object({ id: uuidLike, asOf: timestamp.optional() })

export const listBusinessHistoryRequest = z.object({ id: uuidLike, limit, offset })

export const getBusinessByClientIdRequest = z.object({ clientId: uuidLike })

export const listBusinessesRequest = listRequest({}, uuidLike)

export const createBusinessRequest = z.object(businessFields satisfies Record<keyof BusinessFields, z.ZodType>)

export const editBusinessRequest = createBusinessRequest.partial().extend({ id: uuidLike })
