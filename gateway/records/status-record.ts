import { z } from 'zod'
import type { GetStatusResponse } from '../../shared/gen/mint/operations/v1/status.ts'
import type { Readiness } from '../../shared/runtime/process/readiness.ts'

const lag = {
  position: z.int().min(0).meta({ description: 'The position up to which it has handled every event.' }),
  lagEvents: z.int().min(0).meta({ description: 'How many events of the log it has not handled.' }),
  lagSeconds: z
    .number()
    .min(0)
    .meta({ description: 'The age of the first event that it has not handled; 0 if there is none.' }),
}

const processShape = z
  .object({
    version: z.string().meta({ description: 'Its version of Mint.' }),
    at: z.string().meta({ description: 'Its host and process id.' }),
  })
  .meta({ id: 'Process', examples: [{ version: '0.2.0', at: 'mercury/4711' }] })

const statusExample = {
  engine: 'mongodb' as const,
  position: 1234,
  views: [{ name: 'contracts', position: 1234, lagEvents: 0, lagSeconds: 0 }],
  process: { version: '0.2.0', at: 'mercury/4711' },
  processes: [
    { version: '0.2.0', at: 'mercury/4711' },
    { version: '0.2.0', at: 'venus/15' },
  ],
}

const serviceStatusShape = z
  .object({
    engine: z.enum(['sqlite', 'mongodb']).meta({ description: 'What stores the log.' }),
    position: z.int().min(0).meta({ description: 'The position of the last event in the log.' }),
    views: z.array(z.object({ name: z.string(), ...lag })).meta({
      description: 'The views of the process that answered; on MongoDB each process has its own.',
    }),
    process: processShape.meta({ description: 'The process that answered.' }),
    processes: z.array(processShape).meta({
      description:
        'All processes of the service that are known to run. On MongoDB: those connected to the service’s database, as far as its user may see them.',
    }),
  })
  .meta({ id: 'ServiceStatus', examples: [statusExample] })

const serviceShape = z.object({
  name: z.enum(['gateway', 'contracts', 'businesses']),
  problem: z.string().nullable().meta({ description: 'Why its status is not known; null: it is.' }),
  status: serviceStatusShape.nullable(),
})

/** The status of Mint as REST shows it. */
export const statusShape = z
  .object({
    ready: z.boolean().meta({ description: 'Whether the gateway has what it needs, as at `/readyz`.' }),
    missing: z.array(z.string()).meta({ description: 'Names of what is unavailable now, as at `/readyz`.' }),
    services: z.array(serviceShape).meta({ description: 'The gateway, contracts, businesses.' }),
    relay: z.object(lag).nullable().meta({
      description: 'How far the businesses log is published to the topic; null if businesses doesn’t answer.',
    }),
    contractsRelay: z.object(lag).nullable().meta({
      description: 'The same for the contracts log; also null without Kafka, as it is then not published.',
    }),
    unhandledMessages: z.int().min(0).nullable().meta({
      description:
        'Messages of the topic that contracts has not handled yet; null if contracts or Kafka doesn’t answer.',
    }),
    deadLetters: z.int().min(0).nullable().meta({
      description: 'Messages that were set aside and wait for a replay; null if contracts doesn’t answer.',
    }),
    topicProblems: z.array(z.string()).nullable().meta({
      description:
        'Settings that let the topic between the services lose messages, as far as known; null if businesses doesn’t answer.',
    }),
    contractsTopicProblems: z.array(z.string()).nullable().meta({
      description: 'The same for the topics of contracts; null if contracts doesn’t answer.',
    }),
  })
  .meta({
    id: 'Status',
    examples: [
      {
        ready: false,
        missing: ['businesses'],
        services: [
          { name: 'gateway', problem: null, status: { ...statusExample, views: [] } },
          { name: 'contracts', problem: null, status: statusExample },
          { name: 'businesses', problem: 'The service is unavailable: try again.', status: null },
        ],
        relay: null,
        contractsRelay: { position: 17, lagEvents: 0, lagSeconds: 0 },
        unhandledMessages: 0,
        deadLetters: 0,
        topicProblems: null,
        contractsTopicProblems: [],
      },
    ],
  })

/** A service's answer, or why there is none. */
export type StatusAnswer =
  | { readonly type: 'answered'; readonly status: GetStatusResponse }
  | { readonly type: 'failed'; readonly problem: string }

/** The answers of all services, as REST shows them. */
export function statusRecord(
  readiness: Readiness,
  answers: Readonly<Record<'gateway' | 'contracts' | 'businesses', StatusAnswer>>,
): object {
  const { gateway, contracts, businesses } = answers
  const ofContracts = contracts.type === 'answered' ? contracts.status : undefined
  const ofBusinesses = businesses.type === 'answered' ? businesses.status : undefined
  return {
    ready: readiness.ready,
    missing: readiness.missing,
    services: [
      { name: 'gateway', ...serviceRecord(gateway) },
      { name: 'contracts', ...serviceRecord(contracts) },
      { name: 'businesses', ...serviceRecord(businesses) },
    ],
    relay: relayRecord(ofBusinesses),
    contractsRelay: relayRecord(ofContracts),
    unhandledMessages: ofContracts?.unhandledMessages ?? null,
    deadLetters: ofContracts?.deadLetters ?? null,
    topicProblems: ofBusinesses?.topicProblems ?? null,
    contractsTopicProblems: ofContracts?.topicProblems ?? null,
  }
}

function relayRecord(status: GetStatusResponse | undefined): object | null {
  if (status?.relay === undefined) return null
  const { position, lagEvents, lagSeconds } = status.relay
  return { position, lagEvents, lagSeconds }
}

function serviceRecord(answer: StatusAnswer): object {
  if (answer.type === 'failed') return { problem: answer.problem, status: null }
  const { engine, position, views, process, processes } = answer.status
  return { problem: null, status: { engine, position, views, process, processes } }
}
