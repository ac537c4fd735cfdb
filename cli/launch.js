#!/usr/bin/env node
// The first file to run, in syntax that old versions of Node understand. It only checks whether this Node can run the
// rest and, if not, says in one line what to do.
const NEEDED = 24

if (parseInt(process.versions.node, 10) < NEEDED) {
  // The platforms of the optional packages in package.json.
  const comesWithPackages = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
  const remedy = comesWithPackages
    ? 'run `npm ci`, which installs it for Mint alone, then `npm start`.'
    : 'install it (https://nodejs.org), then run `npm ci` and `npm start`.'
  console.error(`Mint needs Node ${NEEDED}, and this is Node ${process.versions.node}: ${remedy}`)
  process.exit(1)
}

// The first process of a container ignores signals that it has no listener for. Until another listener is added, these
// end it as they would any other process.
if (process.pid === 1) {
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ]) {
    process.on(signal, () => process.listenerCount(signal) === 1 && process.exit(128 + number))
  }
}

Promise.all([import('node:module'), import('node:url')])
  .then(([module, url]) => {
    // Caches compiled code between starts, which saves 0.3 s each time. Set in the environment, it also reaches worker
    // threads, which then don't each load a type stripper: that saves 10 MB per thread.
    const folder = url.fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
    process.env.NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE || folder
    module.enableCompileCache()
    return import('./main.ts')
  })
  .catch((error) => {
    const isIncomplete = error.code === 'ERR_MODULE_NOT_FOUND' && /^Cannot find package/.test(error.message)
    console.error(isIncomplete ? `A package that Mint needs is missing: run \`npm ci\` first. ${error.message}` : error)
    process.exit(1)
  })
