import type { SecureContextOptions } from 'node:tls'
import { type KafkaSecurityConfig, kafkaSettings } from '../../runtime/settings/kafka.ts'
import { readSettings } from '../../runtime/settings/read-settings.ts'
import { type FileContents, type WatchedFiles, type WatchSurroundings, watchFiles } from '../../runtime/watch-files.ts'
import { checkTls } from '../tls/check-tls.ts'

/** How to connect to the brokers now. */
export interface KafkaSecurity {
  /** undefined: without TLS. */
  readonly tls: Pick<SecureContextOptions, 'ca' | 'cert' | 'key'> | undefined
  readonly sasl: KafkaSecurityConfig['sasl']
}

/** Follows the files named by the settings. Rejects with a SettingsError when they can't be used at the start. */
export async function followKafkaSecurity(
  { usesTls, sasl, files }: KafkaSecurityConfig,
  surroundings: WatchSurroundings,
): Promise<WatchedFiles<KafkaSecurity>> {
  const parse = (contents: FileContents): KafkaSecurity => ({
    tls: usesTls ? tlsIn(contents) : undefined,
    sasl: sasl && { ...sasl, password: passwordIn(contents) ?? sasl.password },
  })
  const passwordIn = ({ KAFKA_SASL_PASSWORD_FILE: bytes }: FileContents): string | undefined => {
    const { KAFKA_SASL_PASSWORD } = kafkaSettings
    return bytes && readSettings({ KAFKA_SASL_PASSWORD }, files, () => bytes).KAFKA_SASL_PASSWORD
  }
  return await watchFiles({ ...surroundings, use: 'kafka', files, parse })
}

function tlsIn({ KAFKA_SSL_CA_FILE: ca, KAFKA_SSL_CERT_FILE: cert, KAFKA_SSL_KEY_FILE: key }: FileContents) {
  checkTls({ ca, cert, key }, { ca: 'KAFKA_SSL_CA_FILE', pair: 'KAFKA_SSL_CERT_FILE and KAFKA_SSL_KEY_FILE' })
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }
}
