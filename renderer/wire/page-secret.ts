import { type Disposable, disposable } from '../../shared/lib/disposable.ts'
import { type KeptSecret, SECRET } from './sign-in.ts'

const NAME = 'countersign-page-secret'
/** How long a new window waits for the answer of another window, in ms. */
const ANSWER_MS = 500

type Message = { readonly kind: 'ask' } | { readonly kind: 'answer'; readonly secret: string }

/**
 * The page secret in `sessionStorage`, which browsers keep per window and per origin, including the port. If storage is switched off, the
 * secret is kept until the next reload.
 */
export function sessionSecret(): KeptSecret {
  let inMemory: string | null = null
  const stored = <T>(access: (storage: Storage) => T): T | null => {
    try {
      return access(sessionStorage)
    } catch {
      return null
    }
  }
  return {
    read: () => inMemory ?? stored((storage) => storage.getItem(NAME)),
    keep(secret) {
      inMemory = secret
      stored((storage) => storage.setItem(NAME, secret))
    },
    forget() {
      inMemory = null
      stored((storage) => storage.removeItem(NAME))
    },
  }
}

/** Asks the other windows of this origin for the page secret. Null if no other window is connected or none answers in time. */
export function askOtherWindows(): Promise<string | null> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(NAME)
    const end = (secret: string | null): void => {
      clearTimeout(timer)
      channel.close()
      resolve(secret)
    }
    const timer = setTimeout(() => end(null), ANSWER_MS)
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const message = messageOf(data)
      if (message?.kind === 'answer') end(message.secret)
    })
    channel.postMessage({ kind: 'ask' } satisfies Message)
  })
}

/**
 * Answers other windows of this origin until disposed. Must be called only while connected, so that it never shares the secret of an
 * earlier start of the server.
 */
export function answerOtherWindows(secret: KeptSecret): Disposable {
  const channel = new BroadcastChannel(NAME)
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const own = secret.read()
    if (messageOf(data)?.kind === 'ask' && own !== null) channel.postMessage({ kind: 'answer', secret: own } satisfies Message)
  })
  return disposable(() => channel.close())
}

function messageOf(data: unknown): Message | null {
  const { kind, secret } = (data ?? {}) as { readonly kind?: unknown; readonly secret?: unknown }
  if (kind === 'ask') return { kind }
  return kind === 'answer' && typeof secret === 'string' && SECRET.test(secret) ? { kind, secret } : null
}
