import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import type { Connection } from './connection.ts'

/** Pictures as data addresses, by hash: what has this hash never changes, so it is asked for once. */
export class PictureUrls {
  readonly #connection: Connection
  readonly #urls = new Map<BlobHash, Promise<string | null>>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Null: there is no such picture any more. Rejects when main cannot be asked. */
  get(sessionId: SessionId, hash: BlobHash): Promise<string | null> {
    const known = this.#urls.get(hash)
    if (known) return known
    const { client } = this.#connection
    if (!client) return Promise.reject(new Error('The window is not connected.'))
    const url = client.sessions.picture({ sessionId, hash }).then((found) => found && `data:${found.mediaType};base64,${found.data}`)
    this.#remember(hash, url)
    return url
  }

  /** A failed answer is not kept, and no more than 40 are: one may have 5 MB. */
  #remember(hash: BlobHash, url: Promise<string | null>): void {
    this.#urls.set(hash, url)
    url.catch(() => this.#urls.delete(hash))
    const oldest = this.#urls.size > 40 ? this.#urls.keys().next().value : undefined
    if (oldest !== undefined) this.#urls.delete(oldest)
  }
}
