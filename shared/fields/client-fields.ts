import { z } from 'zod'
import type { Client } from '../gen/mint/contracts/v1/clients.ts'
import { choice } from './choice.ts'
import type { ShownTable } from './field-table.ts'
import { text } from './text.ts'
import { formatTimestamp, timestampText } from './timestamp.ts'

/** The rule of a filter by type. */
export const clientType = choice(['business'])

/** Part of a Client's display name; `""` is no filter. */
export const clientName = text({ min: 0, max: 300 })

/** A Client's whole display name: up to 300 characters, and more as a file may write it, for example with spaces. */
export const wholeClientName = text({ min: 0, max: 1_000 })

/** The fields of a Client. */
export const clientFields = {
  clientId: { shown: z.guid(), example: '019c13a4-5b40-7c11-9d52-6f0d5c1c2a02' },
  clientType: { shown: z.literal('business'), example: 'business' },
  businessId: { shown: z.guid(), example: '019c13a4-5b40-7c11-9d52-6f0d5c1c2a01' },
  displayName: {
    shown: z.string().meta({ description: 'The name that the business operates as.' }),
    example: 'École Montréal',
  },
  createdAt: { shown: timestampText, toJson: formatTimestamp, example: '2026-01-31T09:30:00.000Z' },
  updatedAt: { shown: timestampText, toJson: formatTimestamp, example: '2026-01-31T09:30:00.000Z' },
} satisfies ShownTable<Client>
