/** Words to search for: each contract has one in its name. Short ones are found by a scan. */
export const TOPICS = ['audit', 'payroll', 'qa', 'qz']

/** Dates of service in months that are closed and reopened, and one in a month that never is. */
export const CLOSED_AT_TIMES = ['2024-01-15', '2024-02-15', '2024-03-15']
export const ALWAYS_OPEN = '2024-04-15'

/** The dates through which the books are closed. */
export const ENDS = ['2024-01-31', '2024-02-29', '2024-03-31', null, null]

/** A client without a business. */
export const NO_BUSINESS = '11111111-1111-1111-1111-111111111111'
