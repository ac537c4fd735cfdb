import type { Mapping } from '../csv/sent-rows.ts'
import type { ImportField } from './columns.ts'

/** Which columns fill which fields, by the headings of files, while the browser's tab is open. */
export const rememberedMapping = {
  /** undefined: no file with these headings was checked. */
  of(kind: string, columns: readonly string[], fields: readonly ImportField[]): Mapping | undefined {
    const names: readonly string[] | undefined = JSON.parse(sessionStorage.getItem(keyOf(kind, columns)) ?? 'null')
    return names?.map((name) => fields.find((field) => field.name === name)?.name)
  },
  set(kind: string, columns: readonly string[], mapping: Mapping): void {
    sessionStorage.setItem(keyOf(kind, columns), JSON.stringify(mapping.map((name) => name ?? '')))
  },
}

const keyOf = (kind: string, columns: readonly string[]): string => `mint-import-${kind}-${JSON.stringify(columns)}`
