import { readFileSync } from 'node:fs'
import type { Edit } from '../support/changed-tree.ts'

const CONTRACTS_PROTO = 'proto/mint/contracts/v1/contracts.proto'
const BUSINESSES_PROTO = 'proto/mint/businesses/v1/businesses.proto'
export const PAYMENTS_PROTO = 'proto/mint/contracts/v1/payments.proto'
/** The folder of payments, which is written by hand and counted as one. */
export const PAYMENTS_CONCEPT = 'services/contracts/payment'

/** Every step in CONTRIBUTING.md for a new field of a contract; `number` must be free in the proto. */
export function contractField(name: string, number = 1000) {
  return {
    event: edit('services/contracts/contract/events.ts', 'readonly notes: string\n', `readonly ${name}: string\n`),
    before: edit('services/contracts/contract/events.ts', "notes: ''", `, ${name}: 'CAD'`),
    table: edit(
      'shared/fields/contract-fields.ts',
      '  createdAt: {',
      `  ${name}: { rule: text({ min: 1, max: 3 }).optional(), shown: z.string(), example: 'CAD' },\n`,
      'before',
    ),
    ...inMessages(CONTRACTS_PROTO, 'Contract', name, number),
  }
}

/** The same for a field of a business. */
export function businessField(name: string, number = 1000) {
  return {
    event: edit('services/businesses/business/events.ts', 'readonly phone: string\n', `readonly ${name}: string\n`),
    before: edit('services/businesses/business/events.ts', "phone: '',", `${name}: '',`),
    table: edit(
      'shared/fields/business-fields.ts',
      '  createdAt: {',
      `  ${name}: { rule: shortText.optional(), shown: z.string(), example: '' },\n`,
      'before',
    ),
    ...inMessages(BUSINESSES_PROTO, 'Business', name, number),
  }
}

/** Every step in CONTRIBUTING.md for payments. An empty text creates a new file. */
export const payments: Readonly<Record<string, readonly Edit[]>> = {
  proto: [made(PAYMENTS_PROTO, 'payments.proto')],
  fields: [made('shared/fields/payment-fields.ts', 'payment-fields.ts.txt')],
  concept: ['events', 'decide', 'evolve', 'kind'].map((name) =>
    made(`${PAYMENTS_CONCEPT}/${name}.ts`, `${name}.ts.txt`),
  ),
  registry: [
    {
      file: 'shared/kinds/registry.ts',
      text: '\n})\n',
      replacement:
        "\n  payment: { many: 'payments', part: 'contracts', service: PaymentsServiceService, about: 'What was received.', fields: paymentFields, ...paymentTraits },\n})\n",
    },
    importing('shared/kinds/registry.ts', "{ paymentFields, paymentTraits } from '../fields/payment-fields.ts'"),
    importing('shared/kinds/registry.ts', "{ PaymentsServiceService } from '../gen/mint/contracts/v1/payments.ts'"),
  ],
  console: [
    {
      file: 'console/records/kinds.ts',
      text: '= { contracts, businesses, clients',
      replacement: `= { contracts, businesses, clients, payments: kind('payment', 'payments', {
        notInList: ['id', 'createdAt'], linked: 'date', searched: 'Date',
      })`,
    },
  ],
}

/** The edits of a developer who adds another kind, named by `word`, but forgets one step. */
export function withoutStep(step: string, word: string): Edit[] {
  const renamed = (text: string) =>
    text.replaceAll('payment', word).replaceAll('Payment', word.charAt(0).toUpperCase() + word.slice(1))
  const { [step]: _, ...others } = payments
  return Object.values(others).flatMap((edits) =>
    edits.map(({ file, text, replacement }) => ({ file: renamed(file), text, replacement: renamed(replacement) })),
  )
}

/** The edits of a developer who adds another kind whose view doesn’t name the fields. */
export function withoutFields(word: string): Edit[] {
  const line = `    fields: ${word}Fields,\n`
  return withoutStep('none', word).map((edit) => ({ ...edit, replacement: edit.replacement.replace(line, '') }))
}

/** The edit of a developer who adds a method to a kind's proto, and forgets to implement it. */
export function unimplementedMethod(name: string): Edit {
  const method = `  // New.\n  rpc ${name}(GetContractRequest) returns (GetContractResponse);\n`
  return edit(CONTRACTS_PROTO, 'service ContractsService {\n', method)
}

function edit(file: string, beside: string, added: string, side: 'before' | 'after' = 'after'): Edit {
  return { file, text: beside, replacement: side === 'after' ? beside + added : added + beside }
}

/** Adds a numbered field at the end of each message of a record. */
function inMessages(file: string, record: string, name: string, number: number) {
  const inMessage = (message: string, field: string): Edit => {
    const [text = ''] = new RegExp(`^message ${message} \\{[^]*?^(?=\\})`, 'm').exec(readFileSync(file, 'utf8')) ?? []
    return edit(file, text, `  // New.\n  ${field};\n`)
  }
  return {
    record: inMessage(record, `string ${name} = ${number}`),
    changed: inMessage(`${record}Fields`, `optional string ${name} = ${number}`),
    create: inMessage(`Create${record}Request`, `optional string ${name} = ${number}`),
    change: inMessage(`Edit${record}Request`, `optional string ${name} = ${number}`),
  }
}

function made(file: string, from: string): Edit {
  return { file, text: '', replacement: readFileSync(`tests/system/new-kind/${from}`, 'utf8') }
}

function importing(file: string, what: string): Edit {
  return { file, text: 'import ', replacement: `import ${what}\nimport ` }
}
