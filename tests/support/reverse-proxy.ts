import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, type LookupFunction } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { Agent } from 'undici'
import { createAuthority } from './certificates.ts'
import { type Engine, programOf } from './engines.ts'
import { freePort } from './free-port.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitFor } from './wait-for.ts'

/** A proxy's program, if it is installed. */
export const proxyProgram = (name: 'nginx' | 'caddy'): Engine =>
  programOf(name, `no ${name}: install the package of that name`)

/** docs/examples/nginx.conf in front of gateways on these ports. */
export function startNginx(program: string, ports: readonly number[]) {
  return startProxy((folder, port) => {
    const documented = readFileSync('docs/examples/nginx.conf', 'utf8')
    const servers = ports.map((each) => `    server 127.0.0.1:${each} max_fails=0;\n`).join('')
    const site = documented
      .replace(/( *server 127\.0\.0\.1:\d+ max_fails=0;\n)+/, servers)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replaceAll('/etc/ssl/mint', folder)
      .replace('mint.crt', 'mint.pem')
    writeFileSync(join(folder, 'mint.conf'), site)
    writeFileSync(join(folder, 'nginx.conf'), nginxAround(folder))
    return [program, '-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr']
  })
}

/** docs/examples/Caddyfile in front of gateways on these ports. */
export function startCaddy(program: string, ports: readonly number[]) {
  return startProxy((folder, port) => {
    const documented = readFileSync('docs/examples/Caddyfile', 'utf8')
    const own = `{\n\tadmin off\n\tauto_https disable_redirects\n}\n`
    const site = documented
      .replace('mint.example.com {', `${NAME}:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/mint.pem ${folder}/mint.key`)
      .replace('127.0.0.1:8080 127.0.0.1:8081 127.0.0.1:8082', ports.map((each) => `127.0.0.1:${each}`).join(' '))
    writeFileSync(join(folder, 'Caddyfile'), own + site)
    return [program, 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')]
  })
}

/** The name of the documented site. */
const NAME = 'mint.example.com'

/** `configure` writes what the proxy needs to its folder and returns the command. */
async function startProxy(configure: (folder: string, port: number) => readonly string[]) {
  const folder = temporaryFolder()
  const port = await freePort()
  const authority = createAuthority(folder.path)
  authority.issue('mint', { names: `DNS:${NAME}` })
  const [program = '', ...words] = configure(folder.path, port)
  const proxy = spawn(program, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path },
  })
  let errors = ''
  proxy.stderr.on('data', (chunk) => (errors += chunk))
  const ended = once(proxy, 'close')
  const early = ended.then(() => Promise.reject(new Error(`${program} ended: ${errors}`)))
  early.catch(() => {})
  await Promise.race([waitFor(() => listens(port), { what: `${program} to listen` }), early])
  const dispatcher = new Agent({ allowH2: false, connect: { ca: readFileSync(authority.cert), lookup: loopback } })
  return {
    url: `https://${NAME}:${port}`,
    /** A dispatcher that trusts its certificate. */
    dispatcher,
    async stop() {
      await dispatcher.destroy()
      proxy.kill('SIGTERM')
      await ended
      folder.remove()
    },
  }
}

/** A TLS proxy on loopback, with the name and the configuration in docs/examples/. */
export type ReverseProxy = Awaited<ReturnType<typeof startProxy>>

/** The main configuration that a distribution has around conf.d; all output goes to the folder. */
function nginxAround(folder: string): string {
  mkdirSync(join(folder, 'temporary'))
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = kinds.map((kind) => `${kind}_temp_path ${folder}/temporary/${kind};`)
  return `user ${userInfo().username};
daemon off;
pid ${folder}/nginx.pid;
events {}
http {
    access_log off;
    ${temporary.join('\n    ')}
    include ${folder}/mint.conf;
}
`
}

const loopback: LookupFunction = (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }])

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}
