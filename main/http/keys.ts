import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** How long a socket token may lie unused (ms): it is fetched to be sent at once. */
const SOCKET_TOKEN_LIVES_MS = 30_000
/** More than any number of windows that open at once. */
const SOCKET_TOKENS_AT_MOST = 100

const secret = (): string => randomBytes(32).toString('base64url')

/**
 * The three secrets of one start, 256 bits each. A launch token is part of an address and can be exchanged once, so that an address left in a
 * terminal or a history opens nothing. The page secret is what it is exchanged for: a page keeps it for its origin and shows it in a header,
 * for as long as this process lives. A socket token, issued for the page secret, opens one socket.
 *
 * None of them is ever a cookie: browsers send the cookies of 127.0.0.1 to every port of it, so any other server on this machine would get them.
 */
export class Keys {
  readonly #page = secret()
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

  /** The page secret for a launch token, which is used up by it; null when it is wrong or was used. */
  exchange(token: string): string | null {
    return this.#launch.delete(digest(token)) ? this.#page : null
  }

  isPageSecret(given: string): boolean {
    return timingSafeEqual(hash(given), hash(this.#page))
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

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Looked up by digest, so that how long a comparison takes says nothing about the token. */
const digest = (token: string): string => hash(token).toString('base64')
