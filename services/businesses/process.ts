import { openService } from '../../shared/runtime/process/open-service.ts'
import { whileReady } from '../../shared/runtime/process/readiness.ts'
import type { ProcessDefinition } from '../../shared/runtime/process/run-process.ts'
import { startPublishing } from '../../shared/runtime/process/start-publishing.ts'
import { type BusinessesConfig, readBusinessesConfig } from './config.ts'
import { published } from './published.ts'
import { businessesViews, createBusinessesApp } from './service.ts'

export const definition: ProcessDefinition<BusinessesConfig> = {
  name: 'businesses',
  portSetting: 'BUSINESSES_PORT',
  readConfig: readBusinessesConfig,

  async start(config, surroundings) {
    const { logger } = surroundings
    const { namespace } = config
    const { database, health, appends, kafka, nameOf, serve } = await openService(
      config,
      'businesses',
      businessesViews,
      surroundings,
    )
    const options = { database, published, nameOf, namespace, kafka, isPreferred: appends }
    const { check, topicProblems, events } = startPublishing(options, surroundings)
    // Businesses are served while Kafka is down; the relay resumes when it is back.
    health.set('kafka', whileReady({ name: 'Kafka', check }))
    return serve({
      ...createBusinessesApp({ database, clock: Date.now, topicProblems, logger }),
      events,
    })
  },
}
