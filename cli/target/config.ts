import { webhookSettings } from '../../gateway/config.ts'
import { kafkaSettings, toKafkaConfig } from '../../shared/runtime/settings/kafka.ts'
import { mongoSettings } from '../../shared/runtime/settings/production.ts'
import { readSettings } from '../../shared/runtime/settings/read-settings.ts'
import { embeddedSettings } from '../start/config.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const { MONGO_URL, NAMESPACE, VIEWS_DIR } = mongoSettings
const { KAFKA_BROKERS } = kafkaSettings

// `optional()` drops the metadata, from which people learn what a setting allows: it is added again.
const targetSettings = {
  DATA_DIR: embeddedSettings.DATA_DIR,
  MONGO_URL: MONGO_URL.optional().meta(MONGO_URL.meta() ?? {}),
  ...kafkaSettings,
  KAFKA_BROKERS: KAFKA_BROKERS.optional().meta(KAFKA_BROKERS.meta() ?? {}),
  NAMESPACE,
  VIEWS_DIR,
  ...webhookSettings,
}

/** The data that a command works on. */
export type TargetConfig = ReturnType<typeof readTargetConfig>

export type FolderConfig = Extract<TargetConfig, { type: 'folder' }>

export type MongoConfig = Extract<TargetConfig, { type: 'mongo' }>

/** MongoDB if MONGO_URL is set, else the folder DATA_DIR. Throws SettingsError with one line for each invalid value. */
export function readTargetConfig(environment: Environment) {
  const settings = readSettings(targetSettings, environment)
  const ofWebhooks = {
    webhookKey: settings.WEBHOOK_KEY,
    webhooksByHttp: settings.WEBHOOK_ALLOWED_NETWORKS.length > 0,
  }
  if (settings.MONGO_URL === undefined) return { type: 'folder' as const, folder: settings.DATA_DIR, ...ofWebhooks }
  return {
    type: 'mongo' as const,
    url: settings.MONGO_URL,
    namespace: settings.NAMESPACE,
    viewsFolder: settings.VIEWS_DIR,
    ...ofWebhooks,
    // undefined: operations that need the topic are refused.
    kafka: settings.KAFKA_BROKERS && { brokers: settings.KAFKA_BROKERS, ...toKafkaConfig(settings) },
  }
}
