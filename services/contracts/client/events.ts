/**
 * A client became known: its business was heard of for the first time, at whichever version. Again, where it showed what
 * its business never was: all of it is as here from then on.
 */
export interface ClientRegistered {
  readonly type: 'ClientRegistered.v1'
  readonly data: ClientIdentity & NamedVersion
}

/** A newer version of the client's business operates under another name. */
export interface ClientRenamed {
  readonly type: 'ClientRenamed.v1'
  readonly data: NamedVersion
}

/**
 * A newer version of the client's business operates under the same name. Recorded because the version reached is what
 * distinguishes a late, older version from a newer one: without it, redelivery in another order could end in another name.
 */
export interface ClientRefreshed {
  readonly type: 'ClientRefreshed.v1'
  readonly data: ClientAsOfBusiness
}

/**
 * A version older than the one that the client shows became known: earlier versions of Mint skipped some. The client
 * stays as it is, but its past has that name from then on.
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

/** What every version of the business moves. */
export interface ClientAsOfBusiness {
  /** The version of the business that the client shows. */
  readonly sourceVersion: number
  /** When the business reached that version, in milliseconds since the epoch. */
  readonly updatedAt: number
}

/** The name that the business operated under at a version. */
export interface NamedVersion extends ClientAsOfBusiness {
  readonly displayName: string
}
