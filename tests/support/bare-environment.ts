/**
 * What a process needs of this one's environment, and no setting of Mint: where programs are, and the code that was
 * compiled before, without which each start takes a second of processor time more.
 */
export function bareEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, NODE_COMPILE_CACHE }
}
