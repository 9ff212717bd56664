import type { BlobText } from '../../../shared/api/changes.ts'
import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import type { Connection } from './connection.ts'

/** Texts of stored blobs, by hash: what has this hash never changes, so it is asked for once. */
export class BlobTexts {
  readonly #connection: Connection
  readonly #texts = new Map<BlobHash, Promise<BlobText>>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** `null` is the text of a file that is not there; rejects when main cannot be asked. */
  get(sessionId: SessionId, hash: BlobHash | null): Promise<BlobText> {
    if (hash === null) return Promise.resolve({ kind: 'text', text: '' })
    const known = this.#texts.get(hash)
    if (known) return known
    const client = this.#connection.client
    if (!client) return Promise.reject(new Error('The window is not connected.'))
    const text = client.changes.blob({ sessionId, hash })
    this.#remember(hash, text)
    return text
  }

  /** A failed answer is not kept, and no more than 200 are. */
  #remember(hash: BlobHash, text: Promise<BlobText>): void {
    this.#texts.set(hash, text)
    text.catch(() => this.#texts.delete(hash))
    const oldest = this.#texts.size > 200 ? this.#texts.keys().next().value : undefined
    if (oldest !== undefined) this.#texts.delete(oldest)
  }
}
