/** What tabs of the same origin post to each other about the key that they are signed in with. */
type Message =
  | { readonly type: 'asked' }
  | { readonly type: 'given'; readonly key: string }
  | { readonly type: 'ended'; readonly key: string }

interface SharedKeyOptions {
  /** The key that this tab is signed in with. */
  key(): string | undefined
  /** Another tab has shared the key that it is signed in with, because this one has none. */
  given(key: string): unknown
  /** Somebody signed out of this tab's key in another tab. */
  ended(): void
}

/**
 * Shares the key with tabs that are opened while this one is signed in, so that a link in a new tab needs no sign-in, and
 * signs all of them out together. Nothing is stored for this: once the last tab is closed, the key is gone.
 */
export function shareKey({ key, given, ended }: SharedKeyOptions) {
  const channel = new BroadcastChannel('mint-api-key')
  const post = (message: Message) => channel.postMessage(message)
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const own = key()
    if (data.type === 'asked' && own !== undefined) post({ type: 'given', key: own })
    if (data.type === 'given' && own === undefined) given(data.key)
    if (data.type === 'ended' && own === data.key) ended()
  }
  return {
    ask: () => post({ type: 'asked' }),
    give: (ownKey: string) => post({ type: 'given', key: ownKey }),
    end: (ownKey: string) => post({ type: 'ended', key: ownKey }),
  }
}
