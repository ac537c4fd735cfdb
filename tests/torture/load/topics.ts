/** What searches look for: each contract has one of them in its name. The short ones are found by a scan. */
export const TOPICS = ['audit', 'payroll', 'qa', 'qz']
