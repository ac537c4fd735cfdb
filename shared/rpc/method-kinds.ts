/** Whether a method, with or without its service, only reads; all others write. */
export const isRead = (method: string): boolean => /(^|\/)(Get|List|Check|Report)[^/]*$/.test(method)

/** Whether a method adds up or compares many records. */
export const isReport = (method: string): boolean =>
  /(^|\/)(Report[^/]*|ListContractChanges|ListContractLines)$/.test(method)

/** Whether a method reads many records at once. */
export const isList = (method: string): boolean => /(^|\/)(List|Report)[^/]*$/.test(method)
