/** Whether a method, with or without its service, only reads; all others write. */
export const isRead = (method: string): boolean => /(^|\/)(Get|List|Check|Report|Follow)[^/]*$/.test(method)

/** Whether a method reads one record, or as little. */
export const isShortRead = (method: string): boolean => /(^|\/)Get[^/]*$/.test(method)

/** Whether a method tries out a write: it only reads, but needs the right to write. */
export const isCheck = (method: string): boolean => /(^|\/)Check[^/]*$/.test(method)

/** Whether a method adds up or compares many records. */
export const isReport = (method: string): boolean =>
  /(^|\/)(Report[^/]*|ListContractChanges|ListContractLines|ListProposals)$/.test(method)

/** Whether a method reads many records at once, often the same as before; pages of events never are. */
export const isList = (method: string): boolean => /(^|\/)(List(?!Events$)|Report)[^/]*$/.test(method)
