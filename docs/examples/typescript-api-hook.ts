import { registerHooks } from 'node:module'

// openapi-typescript prints code with the compiler API of TypeScript 5, which TypeScript 7 no longer has. (Installing
// TypeScript 5 beside 7 would take over the tsc command.)
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript'
      ? { url: new URL('./typescript-api.ts', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
})
