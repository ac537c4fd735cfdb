import type { AnyViewDefinition } from '../../../event-sourcing/ports/view.ts'

/** Encodes an id as stored in the tables; undefined when no row can have it. */
export function encodeId({ idOrder }: Pick<AnyViewDefinition, 'idOrder'>, id: string): string | number | undefined {
  if (idOrder === 'text') return id
  const number = Number(id)
  return Number.isSafeInteger(number) && String(number) === id ? number : undefined
}
