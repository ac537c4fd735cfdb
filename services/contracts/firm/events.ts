/** The firm whose books these are; a text that was never set is `''`. */
export interface FirmFields {
  readonly name: string
  /** May have several lines. */
  readonly address: string
  readonly email: string
  readonly phone: string
  readonly taxId: string
  /** An ISO 4217 code. */
  readonly currency: string
  /** An IANA name. */
  readonly timeZone: string
}

/** The firm's record was edited. Holds only the fields whose values changed. */
export interface FirmEdited {
  readonly type: 'FirmEdited.v1'
  readonly data: Partial<FirmFields>
}

export type FirmEvent = FirmEdited
