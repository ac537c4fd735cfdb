/** What a contract records; decimals as normalised strings, dates as `YYYY-MM-DD`. */
export interface ContractFields {
  /** UUID, lower case. */
  readonly clientId: string
  readonly serviceName: string
  readonly serviceType: string
  readonly serviceFee: string
  readonly taxPercent: string
  readonly serviceDate: string
  readonly notes: string
}

/** Defaults for fields that are not given at creation, or that are newer than the record. */
export const contractDefaults = { taxPercent: '0', notes: '' } satisfies Partial<ContractFields>

/** How something came to be written, beside the fields that it set. */
interface Circumstances {
  /** Why it was written into closed time; absent in open time, and before reasons were asked for. */
  readonly overrideReason?: string
  /** Who proposed it; absent where nobody did. */
  readonly proposedBy?: string
}

/** A contract was entered. */
export interface ContractCreated {
  readonly type: 'ContractCreated.v1'
  readonly data: ContractFields & { readonly id: number; readonly totalFeeWithTax: string } & Circumstances
}

/** Some fields of a contract were set to other values: only those are here, and the total when it became another. */
export interface ContractEdited {
  readonly type: 'ContractEdited.v1'
  readonly data: Partial<ContractFields> & { readonly totalFeeWithTax?: string } & Circumstances
}

export type ContractEvent = ContractCreated | ContractEdited

/** The fields that an event set, without how it came to be written. */
export function fieldsSet<Data extends Circumstances>({ overrideReason: _, proposedBy: __, ...fields }: Data) {
  return fields
}
