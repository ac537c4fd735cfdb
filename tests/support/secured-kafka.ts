import { execFile, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import kafkajs, { type Admin, Kafka, type KafkaConfig, logLevel } from 'kafkajs'
import { patchRequestQueue } from '../../shared/adapters/kafka/driver-patch.ts'
import type { EngineCertificates } from './engine-certificates.ts'
import { freePorts } from './free-port.ts'
import { ended } from './mongod.ts'
import { QUICK_JAVA } from './own-broker.ts'
import { waitFor } from './wait-for.ts'

const ADMIN = { username: 'admin', password: 'admin-of-tests' }
/** The user that suites connect as. */
export const MINT = { username: 'mint', password: 'mint-of-tests' }

/** Starts it in a folder. `libs`: where Kafka's jars are. `prefixes`: of the topics and groups that `mint` may use. */
export async function startSecuredKafka(
  libs: string,
  folder: string,
  certificates: EngineCertificates,
  prefixes: readonly string[],
) {
  const [saslPort = 0, certificatePort = 0, plaintextPort = 0, controllerPort = 0] = await freePorts(4)
  const data = join(folder, 'kafka')
  mkdirSync(data, { recursive: true })
  const config = join(data, 'server.properties')
  const ports = { saslPort, certificatePort, plaintextPort, controllerPort }
  writeFileSync(config, properties(data, certificates, ports))
  const java = (...args: string[]): string[] => ['-Xmx384m', ...QUICK_JAVA, '-cp', join(libs, '*'), ...args]
  const run = (...args: string[]) => promisify(execFile)('java', java(...args))
  const scram = [ADMIN, MINT].flatMap(({ username, password }) =>
    ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
      '--add-scram',
      `${mechanism}=[name=${username},password=${password}]`,
    ]),
  )
  await run('kafka.tools.StorageTool', 'format', '-t', 'bWludC1zZWN1cmVkLXRlc3Q', '-c', config, ...scram)
  const running = spawn('java', java('kafka.Kafka', config), { stdio: 'ignore' })
  const address = (port: number): string => `localhost:${port}`
  const admin: KafkaConfig = {
    brokers: [address(plaintextPort)],
    sasl: { mechanism: 'scram-sha-512', ...ADMIN },
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
  }
  await waitFor(() => grant(admin, prefixes), { timeout: 60_000, what: 'the secured broker', every: 250 })
  const client = join(data, 'admin.properties')
  const module = 'org.apache.kafka.common.security.scram.ScramLoginModule'
  const login = `${module} required username="${ADMIN.username}" password="${ADMIN.password}";`
  writeFileSync(client, `security.protocol=SASL_PLAINTEXT\nsasl.mechanism=SCRAM-SHA-512\nsasl.jaas.config=${login}\n`)
  return {
    /** Addresses: TLS with users, TLS with client certificates, users without TLS. */
    sasl: address(saslPort),
    certificate: address(certificatePort),
    saslPlaintext: address(plaintextPort),
    /** A driver's settings for all rights. */
    admin,
    async setPassword(user: string, password: string) {
      const to = ['--bootstrap-server', address(plaintextPort), '--command-config', client]
      const whose = ['--entity-type', 'users', '--entity-name', user]
      const change = ['--add-config', `SCRAM-SHA-512=[password=${password}]`]
      await run('kafka.admin.ConfigCommand', ...to, '--alter', ...whose, ...change)
    },
    /** Reloads replaced files. */
    async reloadCertificates() {
      // The broker reloads files with unchanged names when their settings are sent again.
      const configEntries = ['sasl_ssl', 'ssl'].flatMap((listener) => [
        { name: `listener.name.${listener}.ssl.keystore.location`, value: certificates.server },
        { name: `listener.name.${listener}.ssl.truststore.location`, value: certificates.ca },
      ])
      const resources = [{ type: kafkajs.ConfigResourceTypes.BROKER, name: '1', configEntries }]
      await asAdmin(admin, (client) => client.alterConfigs({ validateOnly: false, resources }))
    },
    stop: () => ended(running),
  }
}

/** A broker with a listener for users over TLS (`sasl`), one for client certificates (`certificate`), and ACLs. */
export type SecuredKafka = Awaited<ReturnType<typeof startSecuredKafka>>

interface Ports {
  readonly saslPort: number
  readonly certificatePort: number
  readonly plaintextPort: number
  readonly controllerPort: number
}

function properties(data: string, { ca, server }: EngineCertificates, ports: Ports): string {
  const listeners = `SASL_SSL://127.0.0.1:${ports.saslPort},SSL://127.0.0.1:${ports.certificatePort},SASL_PLAINTEXT://127.0.0.1:${ports.plaintextPort}`
  const login = (listener: string): string => {
    const user = `username="${ADMIN.username}" password="${ADMIN.password}"`
    const scram = `org.apache.kafka.common.security.scram.ScramLoginModule required ${user};`
    const users = [ADMIN, MINT].map(({ username, password }) => `user_${username}="${password}"`).join(' ')
    const plain = `org.apache.kafka.common.security.plain.PlainLoginModule required ${user} ${users};`
    return `listener.name.${listener}.scram-sha-512.sasl.jaas.config=${scram}
listener.name.${listener}.scram-sha-256.sasl.jaas.config=${scram}
listener.name.${listener}.plain.sasl.jaas.config=${plain}`
  }
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${ports.controllerPort}
listeners=${listeners},CONTROLLER://127.0.0.1:${ports.controllerPort}
advertised.listeners=${listeners.replaceAll('127.0.0.1', 'localhost')}
listener.security.protocol.map=SASL_SSL:SASL_SSL,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
inter.broker.listener.name=SASL_PLAINTEXT
sasl.enabled.mechanisms=SCRAM-SHA-512,SCRAM-SHA-256,PLAIN
sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
${login('sasl_ssl')}
${login('sasl_plaintext')}
ssl.keystore.type=PEM
ssl.keystore.location=${server}
ssl.truststore.type=PEM
ssl.truststore.location=${ca}
listener.name.ssl.ssl.client.auth=required
listener.name.sasl_ssl.ssl.client.auth=requested
listener.name.ssl.ssl.principal.mapping.rules=RULE:^CN=([^,]+).*$/$1/
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:${ADMIN.username};User:ANONYMOUS
log.dirs=${data}/log
num.partitions=6
auto.create.topics.enable=false
offsets.topic.num.partitions=6
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
`
}

/** The rights that docs/operations.md says to grant, for topics and groups with this prefix. */
async function grant(config: KafkaConfig, prefixes: readonly string[]): Promise<boolean> {
  const { TOPIC, GROUP } = kafkajs.AclResourceTypes
  const { CREATE, DESCRIBE, DESCRIBE_CONFIGS, READ, WRITE } = kafkajs.AclOperationTypes
  const rights = [
    ...[CREATE, DESCRIBE, DESCRIBE_CONFIGS, READ, WRITE].map((operation) => ({ resourceType: TOPIC, operation })),
    ...[READ].map((operation) => ({ resourceType: GROUP, operation })),
  ]
  const acl = prefixes.flatMap((resourceName) =>
    rights.map((right) => ({
      ...right,
      resourceName,
      resourcePatternType: kafkajs.ResourcePatternTypes.PREFIXED,
      principal: `User:${MINT.username}`,
      host: '*',
      permissionType: kafkajs.AclPermissionTypes.ALLOW,
    })),
  )
  return await asAdmin(config, (client) => client.createAcls({ acl }))
}

async function asAdmin<Answer>(config: KafkaConfig, work: (client: Admin) => Promise<Answer>): Promise<Answer> {
  patchRequestQueue()
  // On a busy machine a connection takes longer than the driver’s second.
  const client = new Kafka({ ...config, connectionTimeout: 15_000 }).admin()
  await client.connect()
  return await work(client).finally(() => client.disconnect())
}
