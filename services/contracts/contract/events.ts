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

/** Why something was written into closed time; absent in open time, and before reasons were asked for. */
interface Overriding {
  readonly overrideReason?: string
}

/** A contract was entered. */
export interface ContractCreated {
  readonly type: 'ContractCreated.v1'
  readonly data: ContractFields & { readonly id: number; readonly totalFeeWithTax: string } & Overriding
}

/** Some fields of a contract were set to other values: only those are here, and the total when it became another. */
export interface ContractEdited {
  readonly type: 'ContractEdited.v1'
  readonly data: Partial<ContractFields> & { readonly totalFeeWithTax?: string } & Overriding
}

export type ContractEvent = ContractCreated | ContractEdited

/** The fields that an event set, without why it was allowed to. */
export function fieldsSet<Data extends Overriding>({ overrideReason: _, ...fields }: Data) {
  return fields
}
