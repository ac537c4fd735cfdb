/** How many secrets are remembered at the most, twice. */
const CAPACITY = 1_000
/** A secret is forgotten when it was not used for once to twice as long, in milliseconds. */
const FORGET_MILLISECONDS = 10_000

/**
 * The SHA-256 of secrets that were good a moment ago: computing it for each request takes 8 % of a GET's CPU time. It
 * weakens nothing: what a secret hashes to is remembered, not that it is good; the hash is looked for anew with each
 * request, so that a revoked or expired key is refused as before; only secrets that were good get in, so that each
 * refusal hashes; and a secret is gone from memory some seconds after its last use.
 */
export interface RecentSecrets {
  /** By the text of the Authorization header. */
  sha256Of(authorization: string): string | undefined
  remember(authorization: string, sha256: string): void
  /** That it is not good any more: from then on it is looked for like one that never was. */
  forget(authorization: string): void
  /** Forgets them all. */
  stop(): void
}

/** Nothing is remembered yet. */
export function createRecentSecrets(forgetMilliseconds = FORGET_MILLISECONDS): RecentSecrets {
  let young = new Map<string, string>()
  let old = new Map<string, string>()

  function age(): void {
    old = young
    young = new Map()
  }

  function remember(authorization: string, sha256: string): void {
    if (young.size >= CAPACITY) age()
    young.set(authorization, sha256)
  }

  const aging = setInterval(age, forgetMilliseconds).unref()
  return {
    remember,
    forget(authorization) {
      young.delete(authorization)
      old.delete(authorization)
    },
    sha256Of(authorization) {
      const recent = young.get(authorization)
      if (recent !== undefined) return recent
      const earlier = old.get(authorization)
      if (earlier !== undefined) remember(authorization, earlier)
      return earlier
    },
    stop() {
      clearInterval(aging)
      age()
      age()
    },
  }
}
