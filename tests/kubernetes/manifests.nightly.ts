import assert from 'node:assert/strict'
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { parseYaml } from '@redocly/openapi-core'
import { Agent } from 'undici'
import { bareEnvironment } from '../support/bare-environment.ts'
import { atEnd } from '../support/cleanup.ts'
import { bothEngines, describeOn, programOf } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { deleteTopics } from '../support/kafka-topics.ts'
import { dropDatabase } from '../support/mongo-database.ts'
import { parsePromql } from '../support/promql.ts'
import { takeTour } from '../support/readme.ts'
import { startSteadyLoad } from '../support/steady-load.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'

/** A parsed manifest. */
// biome-ignore lint/suspicious/noExplicitAny: YAML
type Manifest = any

const CHART = 'deploy/helm/mint'
const NAME = 'firm-mint'
const WITH_KAFKA = ['--set', 'settings.KAFKA_BROKERS=kafka:9092']
const KEY = `mint_${'k'.repeat(30)}`
/** The contents of the Secret that the chart's values name. */
const SECRET = (mongoUrl: string): Readonly<Record<string, string>> => ({
  'mongo-url': mongoUrl,
  'service-secret': 'known-to-these-processes-alone',
  'api-key': KEY,
})

function rendered(settings: Readonly<Record<string, string>>): readonly Manifest[] {
  const given = Object.entries(settings).flatMap(([name, value]) => ['--set-string', `settings.${name}=${value}`])
  const once = ['gateway', 'contracts', 'businesses'].flatMap((part) => ['--set', `${part}.replicas=1`])
  const values = [...given, ...once, '--set', 'secrets.apiKey=api-key', '--set', 'gateway.settings.DRAIN_SECONDS=2']
  return render(values)
}

function render(values: readonly string[], { chart = CHART, release = 'firm' } = {}): readonly Manifest[] {
  const text = execFileSync('helm', ['template', release, chart, ...values], { encoding: 'utf8', stdio: 'pipe' })
  return text.split(/^---$/m).flatMap((one) => (parseYaml(one) ? [parseYaml(one)] : []))
}

/** A fake cluster: each pod is a process with its own loopback address, resolved by the name of its Service. */
function newCluster(manifests: readonly Manifest[], secret: Readonly<Record<string, string>>) {
  const folder = newFolder()
  const names = join(folder, 'names.json')
  const running = new Map<string, Pod>()
  let last = 0
  const of = (kind: string, part: string): Manifest =>
    manifests.find((one) => one.kind === kind && one.metadata.name === `${NAME}-${part}`)

  /** The addresses of the ready pods that a part's Service selects, as CoreDNS and kube-proxy see them. */
  const addresses = (part: string): readonly string[] => {
    const { selector } = of('Service', part).spec
    const fits = ({ labels }: Pod) => Object.entries(selector).every(([name, value]) => labels[name] === value)
    return [...running.values()].filter((pod) => pod.isReady && fits(pod)).map(({ ip }) => ip)
  }
  const publish = (): void => {
    const known = ['contracts', 'businesses'].map((part) => [`${NAME}-${part}`, addresses(part)])
    writeFileSync(names, JSON.stringify(Object.fromEntries(known)))
  }
  publish()

  async function start(part: string): Promise<Pod> {
    const { spec, metadata } = of('Deployment', part).spec.template
    const ip = `127.0.7.${++last}`
    const pod = startPod({ spec, ip, labels: metadata.labels, folder: join(folder, ip), names, secret })
    running.set(ip, pod)
    atEnd(() => pod.process.kill('SIGKILL'))
    const { readinessProbe } = spec.containers[0]
    const isReady = async () => {
      assert.equal(pod.process.exitCode, null, pod.log())
      return await isHealthy(readinessProbe, ip)
    }
    await waitFor(isReady, { timeout: 60_000, what: `${part} to be ready` })
    pod.isReady = true
    publish()
    return pod
  }

  /** Stops a pod like a kubelet: out of its Services, preStop, SIGTERM; asserts that it ends within its grace. */
  async function end(pod: Pod): Promise<void> {
    pod.isReady = false
    publish()
    const begun = Date.now()
    const { spec } = pod
    const [program, ...args] = spec.containers[0].lifecycle?.preStop.exec.command ?? ['true']
    await promisify(execFile)(program, args)
    const gone = once(pod.process, 'close')
    pod.process.kill('SIGTERM')
    const [exitCode] = await gone
    running.delete(pod.ip)
    assert.equal(exitCode, 0, pod.log())
    assert.ok(Date.now() - begun < spec.terminationGracePeriodSeconds * 1_000, 'within its grace')
  }

  return { start, end, addresses }
}

interface Pod {
  readonly ip: string
  readonly labels: Readonly<Record<string, string>>
  readonly spec: Manifest
  readonly process: ChildProcess
  log(): string
  isReady: boolean
}

/** Runs a pod's container as a local process: its command and variables, with its volumes in a folder. */
function startPod(options: {
  readonly spec: Manifest
  readonly ip: string
  readonly labels: Pod['labels']
  readonly folder: string
  readonly names: string
  readonly secret: Readonly<Record<string, string>>
}): Pod {
  const { spec, ip, labels, folder, names, secret } = options
  const [container] = spec.containers
  assert.equal(spec.enableServiceLinks, false)
  for (const { name, mountPath } of container.volumeMounts) {
    mkdirSync(join(folder, mountPath), { recursive: true })
    const volume = spec.volumes.find((one: Manifest) => one.name === name)
    for (const { key, path } of volume.secret?.items ?? []) {
      writeFileSync(join(folder, mountPath, path), secret[key] ?? assert.fail(`the Secret has no ${key}`))
    }
  }
  const variables = container.env.map(({ name, value }: Manifest) => {
    const mount = container.volumeMounts.find(({ mountPath }: Manifest) => `${value}/`.startsWith(`${mountPath}/`))
    assert.ok(mount || !value.startsWith('/'), `${name}=${value} is in no volume`)
    return [name, mount ? join(folder, value) : value]
  })
  const [program, ...args] = container.command
  assert.equal(program, 'node')
  const child = spawn(process.execPath, ['--import', resolving(names), ...args], {
    // The image sets HOST=0.0.0.0, as a pod has its own network; here, pods share the machine's.
    env: { ...bareEnvironment(), ...Object.fromEntries(variables), HOST: ip, GRPC_HOST: ip },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk) => (log += chunk))
  return { ip, labels, spec, process: child, log: () => log, isReady: false }
}

/** A module that resolves Service names to the addresses in a file, like a cluster's DNS. */
function resolving(names: string): string {
  const module = `
    import { readFileSync } from 'node:fs'
    import dns from 'node:dns'
    const lookup = dns.promises.lookup
    dns.promises.lookup = async (name, options) => {
      const found = JSON.parse(readFileSync(${JSON.stringify(names)}, 'utf8'))[name]
      if (found === undefined) return await lookup(name, options)
      if (found.length === 0) throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' })
      return found.map((address) => ({ address, family: 4 }))
    }`
  return `data:text/javascript,${encodeURIComponent(module)}`
}

async function isHealthy({ httpGet, grpc, timeoutSeconds }: Manifest, ip: string): Promise<boolean> {
  if (!httpGet) {
    const check = promisify(execFile)(process.execPath, ['cli/health.ts', `grpc://${ip}:${grpc.port}`])
    return await check.then(
      () => true,
      () => false,
    )
  }
  assert.notEqual(httpGet.scheme, 'HTTPS')
  const port = { rest: 8080, metrics: 9464 }[String(httpGet.port)]
  const signal = AbortSignal.timeout(timeoutSeconds * 1_000)
  return await fetch(`http://${ip}:${port}${httpGet.path}`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Asserts that a kubelet would restart each pod if it hung, and leave it alone otherwise. */
async function assertHangingIsNoticed(pods: readonly Pod[]): Promise<void> {
  const areAlive = () => Promise.all(pods.map(({ spec, ip }) => isHealthy(spec.containers[0].livenessProbe, ip)))
  assert.deepEqual(await areAlive(), [true, true, true])
  for (const pod of pods) pod.process.kill('SIGSTOP')
  const whileStopped = await areAlive().finally(() => pods.map((pod) => pod.process.kill('SIGCONT')))
  assert.deepEqual(whileStopped, [false, false, false])
}

/** Acts like kube-proxy: forwards each connection to a pod that is ready when it is opened. */
async function serviceOf(addresses: () => readonly string[]): Promise<string> {
  const port = await freePort()
  const server = createServer((socket) => {
    const [address = '127.0.0.1'] = addresses()
    const pod = connect(8080, address)
    for (const [from, to] of [
      [socket, pod],
      [pod, socket],
    ] as const) {
      from.pipe(to)
      from.on('error', () => to.destroy())
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => server.close())
  return `http://127.0.0.1:${port}`
}

const helm = programOf('helm', 'no helm')
const engines = () => ('missing' in helm ? helm : bothEngines())

describeOn(helm, 'The settings of the chart', () => {
  it('of one process override those of all, also with false and 0, and large numbers have no exponent', () => {
    const manifests = render(
      [
        'settings.KAFKA_BROKERS=kafka:9092',
        'settings.REQUIRE_KNOWN_CLIENT=true',
        'contracts.settings.REQUIRE_KNOWN_CLIENT=false',
        'settings.DRAIN_SECONDS=30',
        'gateway.settings.DRAIN_SECONDS=0',
        'settings.RATE_LIMIT_PER_SECOND=1000000',
      ].flatMap((value) => ['--set', value]),
    )
    const setting = (part: string, name: string): unknown => {
      const deployment = manifests.find((one) => one.kind === 'Deployment' && one.metadata.name === `${NAME}-${part}`)
      const { env } = deployment.spec.template.spec.containers[0]
      return env.find((one: { readonly name: string }) => one.name === name).value
    }
    const known = ['contracts', 'businesses'].map((part) => setting(part, 'REQUIRE_KNOWN_CLIENT'))
    assert.deepEqual([...known, setting('gateway', 'DRAIN_SECONDS')], ['false', 'true', '0'])
    assert.equal(setting('gateway', 'RATE_LIMIT_PER_SECOND'), '1000000')
  })

  it('decide how probes connect, whether TLS is set by Secrets or by names of files', () => {
    const bySecrets = ['tls.rest=rest', 'tls.grpc=grpc']
    const byFiles = ['gateway.settings.TLS_CERT_FILE=/mine/tls.crt', 'settings.GRPC_TLS_CERT_FILE=/mine/tls.crt']
    for (const [values, isTls] of [
      [bySecrets, true],
      [byFiles, true],
      [['tls.rest=null', 'tls.grpc=null'], false],
    ] as const) {
      const manifests = render([...WITH_KAFKA, ...values.flatMap((value) => ['--set', value])])
      const probes = Object.fromEntries(
        manifests
          .filter(({ kind }) => kind === 'Deployment')
          .map(({ spec }) => spec.template.spec.containers[0])
          .map(({ name, readinessProbe }) => [name, readinessProbe]),
      )
      assert.equal(probes.gateway.httpGet.scheme, isTls ? 'HTTPS' : 'HTTP')
      assert.deepEqual([Boolean(probes.contracts.exec), Boolean(probes.businesses.exec)], [isTls, isTls])
      const service = manifests.find((one) => one.kind === 'Service' && one.metadata.name === `${NAME}-gateway`)
      assert.equal(service.spec.ports[0].appProtocol, isTls ? 'https' : 'http')
    }
  })

  it('contain no secret: an error says where it belongs', () => {
    assert.throws(
      () => render([...WITH_KAFKA, '--set', 'gateway.settings.WEBHOOK_KEY=x']),
      /put it into the Secret \\?"mint\\?", and name its key in secrets.webhookKey/,
    )
  })
})

describeOn(helm, 'The alerts of the chart', () => {
  it('are about the metrics of their own namespace alone, and have its label', () => {
    const values = [...WITH_KAFKA, '--set', 'prometheusRule.enabled=true', '--namespace', '456']
    const { spec } = render(values).find(({ kind }) => kind === 'PrometheusRule')
    const [{ rules }] = (parseYaml(readFileSync(`${CHART}/monitoring/alerts.yaml`, 'utf8')) as Manifest).groups
    const inNamespace = rules.map((rule: Manifest, index: number) => {
      const { expr } = spec.groups[0].rules[index]
      const { reads } = parsePromql(expr)
      assert.ok(reads.length > 0 && reads.every(({ labels }) => labels.includes('namespace')), expr)
      assert.equal(expr.replaceAll('namespace="456",', '').replaceAll('{namespace="456"}', ''), rule.expr)
      return { ...rule, expr, labels: { namespace: '456', ...rule.labels } }
    })
    assert.deepEqual(spec.groups[0].rules, inNamespace)
  })
})

describeOn(helm, 'An upgrade of the chart', () => {
  it('changes no pod of a part that keeps its tag, and no selector', () => {
    const newer = join(newFolder(), 'mint')
    cpSync(CHART, newer, { recursive: true })
    const versions = readFileSync(join(newer, 'Chart.yaml'), 'utf8')
    writeFileSync(join(newer, 'Chart.yaml'), versions.replace(/ersion: \d.*/gi, 'ersion: 99.0.0'))
    const deployment = (part: string, chart: string): Manifest =>
      render([...WITH_KAFKA, '--set', 'contracts.tag=kept'], { chart }).find(
        (one) => one.kind === 'Deployment' && one.metadata.name === `${NAME}-${part}`,
      )
    assert.deepEqual(deployment('contracts', newer).spec, deployment('contracts', CHART).spec)
    const [before, after] = [deployment('gateway', CHART), deployment('gateway', newer)]
    assert.notDeepEqual(after.spec.template, before.spec.template)
    assert.deepEqual(after.spec.selector, before.spec.selector)
  })

  it('has text for every label, also if the release and its namespace are named by numbers', () => {
    for (const { metadata, spec } of render([...WITH_KAFKA, '--namespace', '456'], { release: '123' })) {
      const labels = [metadata.labels, spec.template?.metadata.labels, spec.podSelector?.matchLabels]
      const texts = [metadata.namespace, ...labels.flatMap((one) => Object.values(one ?? {}))]
      assert.deepEqual([...new Set(texts.map((text) => typeof text))], ['string'])
    }
  })
})

describeOn(engines(), 'The manifests of the chart', (mongoUrl) => {
  it('serve the README tour, and replace every process without a failed request', async () => {
    const namespace = `t${randomUUID().slice(0, 13)}`
    const brokers = process.env.KAFKA_BROKERS ?? ''
    atEnd(async () => {
      for (const part of ['contracts', 'businesses', 'gateway']) await dropDatabase(mongoUrl, `${namespace}_${part}`)
      await deleteTopics(brokers, `${namespace}.`)
    })
    const settings = { NAMESPACE: namespace, KAFKA_BROKERS: brokers.replaceAll(',', '\\,') }
    const cluster = newCluster(rendered(settings), SECRET(mongoUrl))
    const parts = ['businesses', 'contracts', 'gateway'] as const
    const pods = await Promise.all(parts.slice(0, 2).map((part) => cluster.start(part)))
    pods.push(await cluster.start('gateway'))
    await assertHangingIsNoticed(pods)
    const url = await serviceOf(() => cluster.addresses('gateway'))
    await takeTour({ url, key: KEY })

    const dispatcher = new Agent({ connections: 8 })
    atEnd(() => dispatcher.destroy())
    const load = startSteadyLoad({ url, dispatcher }, KEY, randomUUID())
    await waitFor(() => load.answered() > 20, { what: 'the load' })
    for (const [index, part] of parts.entries()) {
      const before = load.answered()
      await cluster.start(part)
      await cluster.end(pods[index] as Pod)
      await waitFor(() => load.answered() > before + 20, {
        what: `answers after ${part} was replaced`,
      })
    }
    await pause(1_000)
    const { sent } = await load.finish()
    assert.deepEqual(load.failures, [])
    assert.equal(load.answered(), sent)
  }).timeout(180_000)
})
