/** Whose books these are; a text that was never set is `''`. */
export interface FirmFields {
  readonly name: string
  /** Of several lines. */
  readonly address: string
  readonly email: string
  readonly phone: string
  readonly taxId: string
  /** A code of ISO 4217. */
  readonly currency: string
  /** An IANA name. */
  readonly timeZone: string
}

/** Some fields of the firm's record were set to other values: only those are here. */
export interface FirmEdited {
  readonly type: 'FirmEdited.v1'
  readonly data: Partial<FirmFields>
}

export type FirmEvent = FirmEdited
