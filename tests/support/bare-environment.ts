/**
 * What a process needs from this one's environment, without any setting of Mint: the paths of programs, and the compile
 * cache, without which each start costs another second of processor time.
 */
export function bareEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, NODE_COMPILE_CACHE }
}
