/** A write counts when a majority of the members have it in their journals: no change of primary undoes it. */
export const BY_MAJORITY = { w: 'majority', j: true } as const

/** A collection that is read and written by majority: what was seen once is never rolled back. */
export const MAJORITY_COLLECTION = {
  readConcern: { level: 'majority' },
  writeConcern: BY_MAJORITY,
} as const
