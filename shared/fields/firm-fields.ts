import { z } from 'zod'
import type { EditFirmRequest, Firm, FirmFields } from '../gen/mint/contracts/v1/firm.ts'
import { currencyOrEmpty } from './currency.ts'
import { emailOrEmpty } from './email.ts'
import type { FieldTable } from './field-table.ts'
import { text } from './text.ts'
import { timeZoneOrEmpty } from './time-zone.ts'
import { formatTimestamp, timestampText } from './timestamp.ts'

const shortText = text({ min: 0, max: 50 })

interface FirmMessages {
  readonly record: Firm
  readonly create: Omit<EditFirmRequest, 'expectedVersions'>
  readonly edit: EditFirmRequest
  readonly changed: FirmFields
}

/** The fields of the firm's record. */
export const firmFields = {
  name: { rule: text({ min: 0, max: 300 }).optional(), shown: z.string(), example: 'Harbour Accounting' },
  address: {
    rule: text({ min: 0, max: 1000 }).optional().meta({ description: 'As on a letter; it may have several lines.' }),
    shown: z.string(),
    example: '12 Quay Street\nHalifax',
  },
  email: {
    rule: emailOrEmpty.optional().meta({ description: 'A valid address, or "" for none.' }),
    shown: z.string(),
    example: 'office@harbour.example',
  },
  phone: { rule: shortText.optional(), shown: z.string(), example: '+1 902 555 0100' },
  taxId: { rule: shortText.optional(), shown: z.string(), example: '123456789RT0001' },
  currency: {
    rule: currencyOrEmpty.optional().meta({
      description:
        'The currency of every amount, by its ISO 4217 code; "": none. It determines the decimals of billed amounts: 2, unless `x-enumDecimals` lists it. Once set, it can only change while there is no contract.',
    }),
    shown: currencyOrEmpty,
    example: 'CAD',
  },
  timeZone: {
    rule: timeZoneOrEmpty.optional().meta({
      description: 'The IANA name of the time zone that determines the firm’s current date; "": UTC.',
    }),
    shown: z.string(),
    example: 'America/Halifax',
  },
  updatedAt: {
    shown: timestampText.nullable().meta({ description: 'null before the first edit.' }),
    // In a message, it is 0 before the first edit.
    toJson: (updatedAt) => (updatedAt === 0 ? null : formatTimestamp(updatedAt)),
    example: '2026-01-31T09:30:00.000Z',
  },
} satisfies FieldTable<FirmMessages>
