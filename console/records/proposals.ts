import type { RecordJson } from '../api/json.ts'
import type { Field } from '../fields/fields.ts'
import { isNeeded, type Texts } from '../fields/texts.ts'
import type { Decimals } from '../format/decimals.ts'
import { bareText } from '../format/fold.ts'
import { decimals as usersDecimals } from '../format/formats.ts'

/** What is proposed for fields of a new contract, and which contract of its client has that. */
export interface Proposal {
  readonly texts: Texts
  /** The id of the contract. */
  readonly source: number
}

/** The fields that can be proposed. */
const PROPOSED = ['serviceType', 'serviceFee', 'taxPercent'] as const

/** What the fields of a new record hold (undefined: never typed), and which of that is proposed. */
export interface WithProposals {
  readonly texts: Texts
  readonly proposed: Texts
  /** The id of the contract that the proposals are taken from. */
  readonly source?: number | undefined
}

/**
 * What a client usually pays for a service: as in the newest of its contracts with that name, or else the tax of the
 * newest one of that type. Credits are ignored. `contracts`: the client's last ones, newest first.
 */
export function proposalFor(
  contracts: readonly RecordJson[],
  { texts, proposed }: WithProposals,
  decimals: Pick<Decimals, 'input'> = usersDecimals,
): Proposal | undefined {
  const usual = (field: string) => {
    const text = field in proposed ? '' : (texts[field] ?? '')
    return contracts.find((contract) => Number(contract.serviceFee) >= 0 && isSame(contract[field], text))
  }
  const sameName = usual('serviceName')
  if (sameName) {
    const usualTexts = {
      serviceType: sameName.serviceType,
      serviceFee: decimals.input(sameName.serviceFee),
      taxPercent: decimals.input(sameName.taxPercent),
    }
    return { texts: usualTexts, source: sameName.id }
  }
  const sameType = usual('serviceType')
  return sameType && { texts: { taxPercent: decimals.input(sameType.taxPercent) }, source: sameType.id }
}

const isSame = (one: string, other: string): boolean => bareText(other) !== '' && bareText(one) === bareText(other)

/** Whether a field waits for the user: what it holds is proposed, or it is empty and must not be. */
export const needsInput = (field: Field, { texts, proposed }: WithProposals): boolean =>
  field.name in proposed || (isNeeded(field) && (texts[field.name] ?? '') === '')

/** Whether something may be proposed. */
export const isOpen = ({ texts, proposed }: WithProposals): boolean =>
  PROPOSED.some((name) => texts[name] === undefined || name in proposed)

/**
 * Replaces what was proposed by what is proposed now. What was typed stays, even if it was cleared. Returns the same
 * object if nothing changes.
 */
export function propose<State extends WithProposals>(current: State, proposal: Proposal | undefined): State {
  const texts: Record<string, string> = { ...current.texts }
  const proposed: Record<string, string> = {}
  for (const name of PROPOSED) {
    if (texts[name] !== undefined && !(name in current.proposed)) continue
    const text = proposal?.texts[name]
    delete texts[name]
    if (text !== undefined) texts[name] = proposed[name] = text
  }
  const source = proposal?.source
  const isSame = PROPOSED.every((name) => proposed[name] === current.proposed[name]) && source === current.source
  return isSame ? current : { ...current, texts, proposed, source }
}

/** Takes what was typed into a field, which is no longer a proposal. */
export function typeInto({ texts, proposed, source }: WithProposals, name: string, text: string): WithProposals {
  const { [name]: _, ...others } = proposed
  return { texts: { ...texts, [name]: text }, proposed: others, source }
}

/** Marks what was kept from another client's contract as proposed: proposals for this client replace or clear it. */
export function release({ texts, proposed, source }: WithProposals, kept: Texts): WithProposals {
  const others = PROPOSED.filter((name) => kept[name] !== undefined && texts[name] === kept[name])
  const released = Object.fromEntries(others.map((name) => [name, texts[name] ?? '']))
  return { texts, proposed: { ...proposed, ...released }, source }
}

/** The text in use that differs from a typed one only in spelling; undefined: none does, or it is in use itself. */
export function otherSpelling(typed: string, inUse: readonly string[]): string | undefined {
  const bare = bareText(typed)
  if (bare === '' || inUse.includes(typed.trim())) return undefined
  return inUse.find((one) => bareText(one) === bare)
}
