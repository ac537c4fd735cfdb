import { z } from 'zod'
import { GRPC_HOST, HOST, LOG_LEVEL, METRICS_PORT, MINT_API_KEY } from './common.ts'
import { SECRET, wholeNumber } from './read-settings.ts'
import { serviceProofSettings, toServiceSecrets } from './service-proof.ts'

/** The settings that both services have in the production shape. */
export const productionSettings = {
  HOST,
  GRPC_HOST,
  METRICS_PORT,
  MINT_API_KEY,
  ...serviceProofSettings,
  MONGO_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/\S+$/)
    .meta({ ...SECRET, allowed: 'the connection string of a MongoDB replica set: mongodb://…' }),
  KAFKA_BROKERS: z
    .string()
    .regex(/^[^\s,]+:\d{1,5}(,[^\s,]+:\d{1,5})*$/)
    .transform((list) => list.split(','))
    .meta({ allowed: 'addresses of Kafka brokers, host:port, separated by commas' }),
  KAFKA_PARTITIONS: wholeNumber({ min: 1, max: 1_000, standard: 6 }),
  KAFKA_REPLICATION: wholeNumber({ min: 1, max: 100, standard: 1 }),
  NAMESPACE: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,39}$/)
    .default('mint')
    .meta({ allowed: 'up to 40 of a-z, 0-9, _ and -; begins the names of databases, topics and consumer groups' }),
  VIEWS_DIR: z.string().default('./views').meta({ allowed: 'a folder that this process may write' }),
  LOG_LEVEL,
}

export type ProductionConfig = ReturnType<typeof toProductionConfig>

/** The settings, as the parts of a service take them. */
export function toProductionConfig(settings: z.output<z.ZodObject<typeof productionSettings>>) {
  return {
    host: settings.HOST,
    grpcHost: settings.GRPC_HOST,
    // 0: a free one; so of every port.
    metricsPort: settings.METRICS_PORT,
    apiKey: settings.MINT_API_KEY,
    serviceSecrets: toServiceSecrets(settings),
    mongoUrl: settings.MONGO_URL,
    kafka: {
      brokers: settings.KAFKA_BROKERS,
      partitions: settings.KAFKA_PARTITIONS,
      replication: settings.KAFKA_REPLICATION,
    },
    namespace: settings.NAMESPACE,
    // Where the process has the files of its views; what is in it can be removed while no process runs.
    viewsFolder: settings.VIEWS_DIR,
    logLevel: settings.LOG_LEVEL,
  }
}
