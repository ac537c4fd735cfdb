/** Prints the OpenAPI document that every gateway of this version serves. */
import { openApi } from '../tests/support/openapi-document.ts'

console.log(JSON.stringify(openApi))
