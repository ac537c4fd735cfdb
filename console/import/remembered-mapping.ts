import type { Mapping } from '../csv/sent-rows.ts'
import type { ImportField } from './columns.ts'

/** Which columns become which fields, by the headings of files, for as long as the browser's tab is open. */
export const rememberedMapping = {
  /** undefined: no file with these headings was checked. */
  of(kind: string, columns: readonly string[], fields: readonly ImportField[]): Mapping | undefined {
    const names: readonly string[] | undefined = JSON.parse(sessionStorage.getItem(itemOf(kind, columns)) ?? 'null')
    return names?.map((name) => fields.find((field) => field.name === name)?.name)
  },
  set(kind: string, columns: readonly string[], mapping: Mapping): void {
    sessionStorage.setItem(itemOf(kind, columns), JSON.stringify(mapping.map((name) => name ?? '')))
  },
}

const itemOf = (kind: string, columns: readonly string[]): string => `mint-import-${kind}-${JSON.stringify(columns)}`
