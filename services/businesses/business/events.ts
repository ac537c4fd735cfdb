export type OwnershipType = 'private' | 'public' | 'non_profit' | 'other'
export type IndustryType = 'retail' | 'manufacturing' | 'service' | 'other'

/** The fields of a business; a text that was never given is `''`. */
export interface BusinessFields {
  readonly legalName: string
  readonly operatedAs: string
  readonly businessNumber: string
  /** null: none. */
  readonly taxId: string | null
  readonly phone: string
  readonly email: string
  readonly ownershipType: OwnershipType
  readonly industryType: IndustryType
  /** `YYYY-MM-DD`. */
  readonly incorporationDate: string
}

/** Defaults for fields that are not given at creation, or that are newer than the record. */
export const businessDefaults = {
  businessNumber: '',
  taxId: null,
  phone: '',
  email: '',
  ownershipType: 'other',
  industryType: 'other',
  incorporationDate: '',
} as const satisfies Partial<BusinessFields>

/** A business was registered, and with it the client that it is. Both ids are lower-case UUIDs. */
export interface BusinessCreated {
  readonly type: 'BusinessCreated.v1'
  readonly data: BusinessFields & { readonly id: string; readonly clientId: string }
}

/** A business was edited. Holds only the fields whose values changed. */
export interface BusinessEdited {
  readonly type: 'BusinessEdited.v1'
  readonly data: Partial<BusinessFields>
}

export type BusinessEvent = BusinessCreated | BusinessEdited
