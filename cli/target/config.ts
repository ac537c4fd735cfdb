import { kafkaSettings, toKafkaConfig } from '../../shared/runtime/settings/kafka.ts'
import { productionSettings } from '../../shared/runtime/settings/production.ts'
import { readSettings } from '../../shared/runtime/settings/read-settings.ts'
import { embeddedSettings } from '../start/config.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const { MONGO_URL, NAMESPACE, VIEWS_DIR } = productionSettings
const { KAFKA_BROKERS } = kafkaSettings

// What is said about a setting to people goes with it.
const targetSettings = {
  DATA_DIR: embeddedSettings.DATA_DIR,
  MONGO_URL: MONGO_URL.optional().meta(MONGO_URL.meta() ?? {}),
  ...kafkaSettings,
  KAFKA_BROKERS: KAFKA_BROKERS.optional().meta(KAFKA_BROKERS.meta() ?? {}),
  NAMESPACE,
  VIEWS_DIR,
}

/** Whose data a command works on. */
export type TargetConfig = ReturnType<typeof readTargetConfig>

export type MongoConfig = Extract<TargetConfig, { type: 'mongo' }>

/** MONGO_URL chooses MongoDB, else it is the folder DATA_DIR. Throws SettingsError with one line for each wrong value. */
export function readTargetConfig(environment: Environment) {
  const settings = readSettings(targetSettings, environment)
  if (settings.MONGO_URL === undefined) return { type: 'folder' as const, folder: settings.DATA_DIR }
  return {
    type: 'mongo' as const,
    url: settings.MONGO_URL,
    namespace: settings.NAMESPACE,
    viewsFolder: settings.VIEWS_DIR,
    // undefined: what needs the topic can't be done.
    kafka: settings.KAFKA_BROKERS && { brokers: settings.KAFKA_BROKERS, ...toKafkaConfig(settings) },
  }
}
