import fc from 'fast-check'
import { REPORT_GROUPS } from '../../shared/fields/report-fields.ts'

export const CLIENTS = ['a', 'b', 'c'].map((digit) => `${digit.repeat(8)}-1111-1111-1111-111111111111`)
const TYPES = ['tax', 'books', '\u{1f4b0}', '\ufffd']
const DATES = ['2025-12-31', '2026-01-01', '2026-01-31', '2026-02-28', '0001-01-01', '9999-12-31']

/** Currencies with their number of decimals in ISO 4217. */
export const CURRENCIES = new Map([
  ['JPY', 0],
  ['EUR', 2],
  ['KWD', 3],
  ['CLF', 4],
])

const amount = (max: number) =>
  fc
    .oneof(fc.nat(max * 10_000), fc.constantFrom(0, 1, max * 10_000))
    .map((units) => String(units / 10_000))
    .filter((text) => /^\d+(\.\d{1,4})?$/.test(text))

/** Includes credits. */
const fee = fc.oneof(
  fc.tuple(fc.constantFrom('', '-'), amount(1_000)).map(([sign, size]) => (size === '0' ? size : sign + size)),
  fc.constantFrom('0', '1000000000000', '999999999999.9999', '-1000000000000', '-999999999999.9999'),
)

const fields = fc.record({
  clientId: fc.constantFrom(...CLIENTS),
  serviceType: fc.constantFrom(...TYPES),
  serviceDate: fc.constantFrom(...DATES),
  serviceFee: fee,
  taxPercent: fc.oneof(amount(20), fc.constantFrom('0', '8.25', '1000', '999.9999')),
})
/** May be negative: clocks of other processes may be behind. */
const tick = fc.constantFrom(0, 0, 1, 2, 1_000, -1, -500)
export const step = fc.oneof(
  fc.record({ type: fc.constant('create' as const), tick, fields }),
  fc.record({
    type: fc.constant('edit' as const),
    tick,
    which: fc.nat(5),
    fields: fc
      .record({ notes: fc.constantFrom('x', 'y') }, { requiredKeys: [] })
      .chain((notes) =>
        fc
          .record(
            { clientId: fc.constantFrom(...CLIENTS), serviceFee: fee, taxPercent: amount(20) },
            { requiredKeys: [] },
          )
          .map((rest) => ({ ...notes, ...rest })),
      ),
  }),
  fc.record({
    type: fc.constant('name' as const),
    tick,
    client: fc.constantFrom(...CLIENTS),
    name: fc.constantFrom('Ada', 'Bob', '\u{1f4b0}', '\ufffd'),
  }),
  fc.record({ type: fc.constant('currency' as const), tick, currency: fc.constantFrom('', ...CURRENCIES.keys()) }),
)
export const OLD_CONTRACT = {
  clientId: CLIENTS[0] ?? '',
  serviceType: 'old',
  serviceDate: '2024-02-29',
  serviceFee: '0.0001',
  taxPercent: '0.0001',
}
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const filter = fc.record({
  clientId: optional(fc.constantFrom(...CLIENTS)),
  serviceType: optional(fc.constantFrom(...TYPES, 'none of this')),
  serviceDateFrom: optional(fc.constantFrom(...DATES)),
  serviceDateTo: optional(fc.constantFrom(...DATES)),
})
export const question = fc.record({
  groupBy: fc.shuffledSubarray([...REPORT_GROUPS], { maxLength: 2 }),
  filter,
  /** Moments, as indexes into all times of the history. */
  since: fc.nat(),
  until: fc.nat(),
  page: fc.record({ limit: fc.integer({ min: 1, max: 9 }), offset: fc.nat(9) }),
})

type Drawn<From> = From extends fc.Arbitrary<infer Value> ? Value : never
export type Step = Drawn<typeof step>
export type Question = Drawn<typeof question>
