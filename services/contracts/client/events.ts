/**
 * A client became known from any version of its business. Occurs again where the client was in a state that its business
 * never had: this event then replaces all of it.
 */
export interface ClientRegistered {
  readonly type: 'ClientRegistered.v1'
  readonly data: ClientIdentity & NamedVersion
}

/** A newer version of the client's business has another name. */
export interface ClientRenamed {
  readonly type: 'ClientRenamed.v1'
  readonly data: NamedVersion
}

/**
 * A newer version of the client's business has the same name. Recorded because the version distinguishes a late, older
 * message from a newer one: without it, redelivery in another order could end in another name.
 */
export interface ClientRefreshed {
  readonly type: 'ClientRefreshed.v1'
  readonly data: ClientAsOfBusiness
}

/**
 * An older version than the client's was recorded later, because earlier versions of Mint skipped some. The client stays
 * as it is; its past now includes that name.
 */
export interface ClientPastRecorded {
  readonly type: 'ClientPastRecorded.v1'
  readonly data: NamedVersion
}

export type ClientEvent = ClientRegistered | ClientRenamed | ClientRefreshed | ClientPastRecorded

export interface ClientIdentity {
  /** UUID, lower case. */
  readonly clientId: string
  readonly clientType: 'business'
  /** UUID of the business that the client is. */
  readonly businessId: string
  /** When the business was created, in milliseconds since the epoch. */
  readonly createdAt: number
}

/** Changes with every version of the business. */
export interface ClientAsOfBusiness {
  /** The version of the business that the client reflects. */
  readonly sourceVersion: number
  /** When the business reached that version, in milliseconds since the epoch. */
  readonly updatedAt: number
}

/** The operating name of the business at a version. */
export interface NamedVersion extends ClientAsOfBusiness {
  readonly displayName: string
}
