/** What the admin service and its client agree upon beside the .proto file. */

/** The metadata that carries the token. */
export const TOKEN_KEY = 'mint-admin-token'
/** With an error: the exit code of the command, as decimal digits. */
export const EXIT_CODE_KEY = 'mint-exit-code'
