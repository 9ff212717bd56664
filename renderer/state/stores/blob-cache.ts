import type { AppClient } from '../../../shared/api/contract.ts'
import type { BlobText } from '../../../shared/api/changes.ts'
import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import type { Connection } from './connection.ts'

/** Stored text by hash. `null` is the text of a missing file, which is empty. Rejects when main cannot be reached. */
export interface BlobTexts {
  get(sessionId: SessionId, hash: BlobHash | null): Promise<BlobText>
}

/** Keeps at most 200 texts. */
export function createBlobTexts(connection: Connection): BlobTexts {
  const texts = new BlobCache<BlobText>(connection, 200, (client, key) => client.changes.blob(key))
  const empty: BlobText = { kind: 'text', text: '' }
  return { get: (sessionId, hash) => (hash === null ? Promise.resolve(empty) : texts.get(sessionId, hash)) }
}

/** Pictures as data URLs by hash; null when the picture no longer exists. Keeps at most 40, since one may have 5 MB. */
export function createPictureUrls(connection: Connection): BlobCache<string | null> {
  return new BlobCache(connection, 40, async (client, key) => {
    const found = await client.sessions.picture(key)
    return found && `data:${found.mediaType};base64,${found.data}`
  })
}

type Ask<T> = (client: AppClient, key: { readonly sessionId: SessionId; readonly hash: BlobHash }) => Promise<T>

/** Answers about stored blobs. A hash always stands for the same bytes, so main is asked only once for each. */
export class BlobCache<T> {
  readonly #connection: Connection
  readonly #most: number
  readonly #ask: Ask<T>
  readonly #answers = new Map<BlobHash, Promise<T>>()

  constructor(connection: Connection, most: number, ask: Ask<T>) {
    this.#connection = connection
    this.#most = most
    this.#ask = ask
  }

  /** Rejects when main cannot be reached. */
  get(sessionId: SessionId, hash: BlobHash): Promise<T> {
    const known = this.#answers.get(hash)
    if (known) return known
    const { client } = this.#connection
    if (!client) return Promise.reject(new Error('The window is not connected.'))
    const answer = this.#ask(client, { sessionId, hash })
    this.#remember(hash, answer)
    return answer
  }

  /** Drops failed answers, and the oldest one when there are too many. */
  #remember(hash: BlobHash, answer: Promise<T>): void {
    this.#answers.set(hash, answer)
    answer.catch(() => this.#answers.delete(hash))
    const oldest = this.#answers.size > this.#most ? this.#answers.keys().next().value : undefined
    if (oldest !== undefined) this.#answers.delete(oldest)
  }
}
