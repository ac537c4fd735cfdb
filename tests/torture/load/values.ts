/** What searches find: each contract has one of them in its name. The short ones are found by a scan. */
export const TOPICS = ['audit', 'payroll', 'qa', 'qz']

/** Dates of service in months that are closed and opened again, and one in a month that never is. */
export const CLOSED_AT_TIMES = ['2024-01-15', '2024-02-15', '2024-03-15']
export const ALWAYS_OPEN = '2024-04-15'

/** Up to when the books are closed. */
export const ENDS = ['2024-01-31', '2024-02-29', '2024-03-31', null, null]

/** A client that no business is. */
export const NO_BUSINESS = '11111111-1111-1111-1111-111111111111'
