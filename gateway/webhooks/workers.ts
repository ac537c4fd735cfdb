import { setImmediate as nextTurn } from 'node:timers/promises'
import { coalescingRuns } from '../../shared/async/coalesced-runs.ts'
import { newRequestId } from '../../shared/calls/ids.ts'
import { createLanes } from '../../shared/calls/lanes.ts'
import { toCommandContext } from '../../shared/event-sourcing/command-context.ts'
import { readInChunks } from '../../shared/event-sourcing/past-states.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { Documents } from '../../shared/event-sourcing/ports/documents.ts'
import type { Lease } from '../../shared/event-sourcing/ports/leased-checkpoints.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import type { WebhookAdministration } from '../../shared/webhooks/administration.ts'
import type { Webhook } from '../../shared/webhooks/evolve.ts'
import { bodyKey, deliveriesKey, heldKey, type Progress, progressKey } from '../../shared/webhooks/progress.ts'
import { readWebhookEvent, WEBHOOKS, webhooksView } from '../../shared/webhooks/view.ts'
import type { DeliveryRule } from './addresses.ts'
import { createDeliveryLog } from './delivery-log.ts'
import { readingInTurn } from './reading.ts'
import { createSender } from './send.ts'
import { createDeliveryStore } from './store.ts'
import { createWorker, type Worker, type WorkerSurroundings } from './worker.ts'

export interface WorkersOptions extends Omit<WorkerSurroundings, 'store' | 'send' | 'mayDeliver' | 'pause' | 'turn'> {
  readonly isAllowed: DeliveryRule
  /** How long an attempt may take, in milliseconds; 15 s if left out. */
  readonly attemptMilliseconds?: number
  /** Opened with `gatewayViews`. */
  readonly database: Database
  readonly administration: Pick<WebhookAdministration, 'pause'>
  readonly logger: Logger
}

interface Delivering extends Pick<WorkerSurroundings, 'mayDeliver'> {
  /** The same each time that this process delivers: what it wrote and gave up on must not undo what it writes later. */
  readonly documents: Documents
  /** The right to deliver. */
  readonly lease: Lease
}

/** How often deliveries are stored. */
const SAVE_MILLISECONDS = 250

const NEW: Omit<Progress, 'live'> = {
  handled: 0,
  replay: null,
  failingSince: null,
  lastDeliveredAt: null,
  lastFailure: null,
  waiting: 0,
}

/** A worker for each webhook. They work once `refresh` is called, and while this process may deliver. */
export function createWorkers(options: WorkersOptions, { documents, lease, mayDeliver }: Delivering) {
  const { database, administration, logger, isAllowed, clock, attemptMilliseconds } = options
  const view = database.view(webhooksView)
  const store = createDeliveryStore(documents, { lease, mayWrite: mayDeliver, collect })
  const sender = createSender({ isAllowed, clock, milliseconds: attemptMilliseconds })
  const oneAtATime = createLanes(1)
  const turn = () => oneAtATime('', nextTurn)
  const readPage = readingInTurn(options.readPage, store.save)
  const surroundings = { ...options, readPage, store, send: sender.send, mayDeliver, pause, turn }
  const workers = new Map<string, Worker>()
  let webhooks: ReadonlyMap<string, Webhook> = new Map()
  let version = 0

  function collect(): void {
    for (const worker of workers.values()) worker.collect()
  }

  async function save(): Promise<void> {
    if (!mayDeliver()) return
    await store.save().catch((err) => logger.warn({ outage: 'webhooks', err }, 'deliveries can’t be stored now'))
  }

  async function pause(id: string, reason: 'gone' | 'failing'): Promise<void> {
    logger.warn({ webhook: id, reason }, 'a webhook is paused')
    // So that whoever sees the pause also finds the failure.
    await save()
    await administration.pause(id, reason, toCommandContext({ actor: 'mint', requestId: newRequestId() }))
    await refresh()
  }

  async function add(webhook: Webhook): Promise<void> {
    const { id, after } = webhook
    const stored = await documents.read(progressKey(id))
    const progress: Progress = stored === undefined ? { ...NEW, live: { after } } : JSON.parse(stored)
    const held = [...(await documents.list(heldKey(id))).values()].map((text) => JSON.parse(text))
    const log = createDeliveryLog(id, await documents.list(deliveriesKey(id)))
    let known = webhook
    // Once it is deleted, as it was last.
    const current = (): Webhook => {
      known = webhooks.get(id) ?? known
      return known
    }
    workers.set(id, createWorker(current, { progress, held, log }, surroundings))
  }

  /** Drops a deleted webhook and everything stored for it. */
  async function remove(id: string): Promise<void> {
    await workers.get(id)?.stop()
    workers.delete(id)
    // Nothing may be stored after what is removed below.
    await store.save()
    // The progress comes last: whoever finds it removes the rest.
    for (const prefix of [heldKey(id), bodyKey(id), deliveriesKey(id), progressKey(id)]) {
      await documents.removeAll(prefix)
    }
  }

  async function readWebhooks(): Promise<void> {
    const row = await view.get(WEBHOOKS.id)
    if (row === undefined || row.version === version) return
    webhooks = new Map(row.state.map((webhook) => [webhook.id, webhook]))
    const stored = [...(await documents.list(progressKey())).keys()].map((key) => key.slice(progressKey().length))
    for (const id of new Set([...workers.keys(), ...stored])) if (!webhooks.has(id)) await remove(id)
    for (const [id, webhook] of webhooks) if (!workers.has(id)) await add(webhook)
    // The log may be long: after a takeover, most of it was handled before.
    const handled = Math.min(...[...workers.values()].map((worker) => worker.handled()))
    const unread = { afterVersion: Math.max(version, handled) }
    for await (const events of readInChunks(database.events, WEBHOOKS, unread)) {
      for (const event of events) {
        const read = readWebhookEvent(event)
        for (const worker of workers.values()) worker.handle(read, event.version)
      }
    }
    version = row.version
  }

  const { run: refresh } = coalescingRuns(async () => {
    await readWebhooks()
    for (const worker of workers.values()) worker.work()
  })
  const saving = setInterval(save, SAVE_MILLISECONDS)
  return {
    /** Reads the webhooks again, and lets every worker work. */
    refresh,
    async stop(): Promise<void> {
      clearInterval(saving)
      await Promise.all([...workers.values()].map((worker) => worker.stop()))
      sender.stop()
      await save()
    },
  }
}
