import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A socket token expires after this time (ms). Pages use a token immediately. */
const SOCKET_TOKEN_LIVES_MS = 30_000
/** Maximum number of tokens. The windows never need this many at once. */
const SOCKET_TOKENS_AT_MOST = 100

const secret = (): string => randomBytes(32).toString('base64url')

/**
 * The three secrets of one process, with 256 bits each. A launch token is part of an address. It can be exchanged only once, so that an
 * address left in a terminal or a history is useless. It is exchanged for the page secret, which a page stores for its origin and sends
 * in a header while this process runs. A socket token is issued for the page secret and opens one socket. None of the secrets is ever a
 * cookie: browsers send the cookies of 127.0.0.1 to every port, so any other server on this machine would get them.
 */
export class AccessSecrets {
  readonly #page = secret()
  readonly #launch = new Set<string>()
  readonly #sockets = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** A new token for an address. Earlier tokens stay valid until they are used. */
  launchToken(): string {
    const token = secret()
    this.#launch.add(digest(token))
    return token
  }

  /** Exchanges a launch token for the page secret; null if the token is wrong or was used before. */
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

  /** True once for each token that has not expired. */
  useSocketToken(token: string): boolean {
    const until = this.#sockets.get(digest(token))
    this.#sockets.delete(digest(token))
    return until !== undefined && until > this.#now()
  }
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Digests are compared instead of tokens, so that the duration of a comparison reveals nothing about the token. */
const digest = (token: string): string => hash(token).toString('base64')
