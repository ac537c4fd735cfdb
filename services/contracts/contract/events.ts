/** The fields of a contract; decimals as normalised strings, dates as `YYYY-MM-DD`. */
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

/** What an event records about the write itself, besides the fields that it set. */
interface Circumstances {
  /** Why it was written into a closed period; absent in an open one, and in events from before reasons were required. */
  readonly overrideReason?: string
  /** Who proposed it; absent if it was not proposed. */
  readonly proposedBy?: string
}

/** A contract was created. */
export interface ContractCreated {
  readonly type: 'ContractCreated.v1'
  readonly data: ContractFields & { readonly id: number; readonly totalFeeWithTax: string } & Circumstances
}

/** A contract was edited. Holds only the fields whose values changed, and the total if it changed. */
export interface ContractEdited {
  readonly type: 'ContractEdited.v1'
  readonly data: Partial<ContractFields> & { readonly totalFeeWithTax?: string } & Circumstances
}

export type ContractEvent = ContractCreated | ContractEdited

/** The fields that an event set, without its circumstances. */
export function fieldsSet<Data extends Circumstances>({ overrideReason: _, proposedBy: __, ...fields }: Data) {
  return fields
}
