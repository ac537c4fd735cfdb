/** What tabs of the same origin tell each other about the key that they are signed in with. */
type Message =
  | { readonly type: 'asked' }
  | { readonly type: 'given'; readonly key: string }
  | { readonly type: 'ended'; readonly key: string }

interface SharedKeyOptions {
  /** The key that this tab is signed in with. */
  key(): string | undefined
  /** Another tab gives the key that it is signed in with, as this one has none. */
  given(key: string): void
  /** Somebody signed out of this tab's key in another tab. */
  ended(): void
}

/**
 * Hands the key over to tabs that are opened while this one is signed in, so that a link in a new tab asks for nothing,
 * and signs all of them out at once. Nothing is stored for it: once the last tab is closed, nobody has the key.
 */
export function shareKey({ key, given, ended }: SharedKeyOptions) {
  const channel = new BroadcastChannel('mint-api-key')
  const tell = (message: Message) => channel.postMessage(message)
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const own = key()
    if (data.type === 'asked' && own !== undefined) tell({ type: 'given', key: own })
    if (data.type === 'given' && own === undefined) given(data.key)
    if (data.type === 'ended' && own === data.key) ended()
  }
  return {
    ask: () => tell({ type: 'asked' }),
    give: (ownKey: string) => tell({ type: 'given', key: ownKey }),
    end: (ownKey: string) => tell({ type: 'ended', key: ownKey }),
  }
}
