import { ts } from '@ts-morph/common'

/** TypeScript's compiler API, as openapi-typescript imports it. */
export default ts
