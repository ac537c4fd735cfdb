import { z } from 'zod'
import { commonSettings, GRPC_HOST, toCommonConfig } from './common.ts'
import { kafkaSettings, toKafkaConfig } from './kafka.ts'
import { SECRET, type SecretFiles } from './read-settings.ts'
import { serviceProofSettings, toServiceProof } from './service-proof.ts'

/** What each process of its own needs: its database and views, and its proof of identity. */
export const mongoSettings = {
  ...serviceProofSettings,
  MONGO_URL: z
    .string()
    // Otherwise the part of a password after an @ or / would be read as a host or a database, and shown.
    .regex(/^mongodb(\+srv)?:\/\/[^\s@?/]+(@[^\s@?/]+)?(\/[^\s@?]*)?(\?\S*)?$/)
    .meta({
      ...SECRET,
      allowed: 'the connection string of a MongoDB replica set: mongodb://…; percent-encode @ and / in the password',
    }),
  NAMESPACE: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,39}$/)
    .default('mint')
    .meta({ allowed: 'up to 40 of a-z, 0-9, _ and -; begins the names of databases, topics and consumer groups' }),
  VIEWS_DIR: z.string().default('./views').meta({ allowed: 'a folder that this process may write' }),
}

/** Converts the settings to the form that the parts of a process use. */
export function toMongoConfig(settings: z.output<z.ZodObject<typeof mongoSettings>> & { readonly files: SecretFiles }) {
  return {
    serviceProof: toServiceProof(settings),
    mongoUrl: settings.MONGO_URL,
    mongoUrlFile: settings.files.MONGO_URL_FILE,
    namespace: settings.NAMESPACE,
    // Where the process stores the files of its views; they may be removed while no process runs.
    viewsFolder: settings.VIEWS_DIR,
  }
}

/** The settings that both services have in production. */
export const productionSettings = { ...commonSettings, GRPC_HOST, ...mongoSettings, ...kafkaSettings }

export type ProductionConfig = ReturnType<typeof toProductionConfig>

/** The settings in the form that the parts of a service use. */
export function toProductionConfig(
  settings: z.output<z.ZodObject<typeof productionSettings>> & { readonly files: SecretFiles },
) {
  return {
    ...toCommonConfig(settings),
    ...toMongoConfig(settings),
    grpcHost: settings.GRPC_HOST,
    kafka: { brokers: settings.KAFKA_BROKERS, ...toKafkaConfig(settings) },
  }
}
