/** A write is acknowledged once a majority of the members have journaled it: no change of primary can undo it. */
export const BY_MAJORITY = { w: 'majority', j: true } as const

/** A collection read and written by majority: nothing that was read is ever rolled back. */
export const MAJORITY_COLLECTION = {
  readConcern: { level: 'majority' },
  writeConcern: BY_MAJORITY,
} as const
