import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** How long a socket token may lie unused (ms): it is fetched to be sent at once. */
const SOCKET_TOKEN_LIVES_MS = 30_000
/** More than any number of windows that open at once. */
const SOCKET_TOKENS_AT_MOST = 100

const secret = (): string => randomBytes(32).toString('base64url')

/**
 * The three secrets of one start (DESIGN §1), 256 bits each. A launch token stands in an address and can be exchanged once, so that an address
 * left in a terminal or a history opens nothing; the cookie says "signed in" for as long as this process lives; a socket token, had for
 * the cookie, opens one socket.
 */
export class Keys {
  /** Unique to the start, since cookies ignore ports: two servers on one machine would overwrite each other's. */
  readonly cookieName = `countersign_${randomBytes(4).toString('hex')}`
  readonly #cookie = secret()
  readonly #launch = new Set<string>()
  readonly #sockets = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** A new token for an address. Earlier ones stay good until they are used. */
  launchToken(): string {
    const token = secret()
    this.#launch.add(digest(token))
    return token
  }

  /** The `Set-Cookie` value for a launch token, which is used up by it; null when it is wrong or was used. */
  exchange(token: string): string | null {
    if (!this.#launch.delete(digest(token))) return null
    return `${this.cookieName}=${this.#cookie}; HttpOnly; SameSite=Strict; Path=/`
  }

  /** Whether a `Cookie` header holds ours. */
  isSignedIn(header: string | undefined): boolean {
    const pairs = (header ?? '').split(';').map((pair) => pair.trim())
    const own = pairs.filter((pair) => pair.startsWith(`${this.cookieName}=`))
    return own.some((pair) => equal(pair.slice(this.cookieName.length + 1), this.#cookie))
  }

  socketToken(): string {
    const now = this.#now()
    for (const [held, until] of this.#sockets) if (until <= now || this.#sockets.size >= SOCKET_TOKENS_AT_MOST) this.#sockets.delete(held)
    const token = secret()
    this.#sockets.set(digest(token), now + SOCKET_TOKEN_LIVES_MS)
    return token
  }

  /** True once for each token, while it lives. */
  useSocketToken(token: string): boolean {
    const until = this.#sockets.get(digest(token))
    this.#sockets.delete(digest(token))
    return until !== undefined && until > this.#now()
  }
}

/** Looked up by digest, so that how long a comparison takes says nothing about the token. */
const digest = (token: string): string => createHash('sha256').update(token).digest('base64')

function equal(given: string, own: string): boolean {
  const [one, other] = [given, own].map((text) => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
