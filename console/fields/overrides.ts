import type { FieldKind } from './fields.ts'

/** What the OpenAPI document can't say about a field, by its name; every other field goes without. */
export interface Override {
  readonly label?: string
  readonly kind?: FieldKind
}

export const overrides: Readonly<Record<string, Override>> = {
  clientId: { label: 'Client', kind: 'client' },
  businessId: { label: 'Business', kind: 'business' },
  taxPercent: { label: 'Tax %', kind: 'decimal' },
  totalFeeWithTax: { label: 'Total with tax' },
  taxId: { label: 'Tax ID' },
  email: { label: 'E-mail' },
  clientName: { label: 'Client’s name contains' },
  serviceDateFrom: { label: 'Service date from' },
  serviceDateTo: { label: 'Service date to' },
  createdAt: { label: 'Created' },
  updatedAt: { label: 'Last changed' },
  updatedSince: { label: 'Changed since' },
}
