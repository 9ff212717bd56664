import type { AppClient } from '../../../shared/api/contract.ts'
import type { BlobText } from '../../../shared/api/changes/changes.ts'
import type { BlobHash, SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { Connection } from './connection.ts'

/** Stored texts by hash. A `null` hash stands for a missing file, whose text is empty. Rejects if main cannot be reached. */
export interface BlobTexts {
  get(sessionId: SessionId, hash: BlobHash | null): Promise<BlobText>
}

/** Keeps at most 200 texts. */
export function createBlobTexts(connection: Connection): BlobTexts {
  const texts = new AnswerCache<BlobHash, BlobText>(connection, 200, {
    nameOf: (_, hash) => hash,
    ask: ({ changes }, sessionId, hash) => changes.blob({ sessionId, hash }),
    isFound: ({ kind }) => kind !== 'missing',
  })
  const empty: BlobText = { kind: 'text', text: '' }
  return { get: (sessionId, hash) => (hash === null ? Promise.resolve(empty) : texts.get(sessionId, hash)) }
}

/** A picture of a session: attached to a message, or picture `index` in a call's result. */
export type PictureSource =
  | { readonly kind: 'given'; readonly hash: BlobHash }
  | { readonly kind: 'result'; readonly toolCallId: ToolCallId; readonly index: number }

/** Returns a key for a picture that is unique within its session. */
export const pictureName = (source: PictureSource): string =>
  source.kind === 'given' ? source.hash : `${source.toolCallId} ${source.index}`

/**
 * Pictures as data URLs. Null if there is no such picture or it cannot be shown. Keeps at most 40, because a picture can be as large as 5
 * MB.
 */
export type PictureUrls = Pick<AnswerCache<PictureSource, string | null>, 'get'>

export function createPictureUrls(connection: Connection): PictureUrls {
  return new AnswerCache(connection, 40, {
    nameOf: (sessionId, source) => `${sessionId} ${pictureName(source)}`,
    async ask({ sessions }, sessionId, source) {
      const found =
        source.kind === 'given'
          ? await sessions.picture({ sessionId, hash: source.hash })
          : await sessions.resultPicture({ sessionId, toolCallId: source.toolCallId, index: source.index })
      return found && `data:${found.mediaType};base64,${found.data}`
    },
    isFound: (url) => url !== null,
  })
}

interface Question<K, T> {
  /** Returns the name of a key. Keys with the same name always have the same answer. */
  readonly nameOf: (sessionId: SessionId, key: K) => string
  readonly ask: (client: AppClient, sessionId: SessionId, key: K) => Promise<T>
  /** Whether the bytes were found. If not, they may be found later, for example after a failure of the disk. */
  readonly isFound: (answer: T) => boolean
}

/** Caches answers about stored bytes. Stored bytes never change, so main is asked only once about each key that it has found. */
class AnswerCache<K, T> {
  readonly #connection: Connection
  readonly #most: number
  readonly #question: Question<K, T>
  readonly #answers = new Map<string, Promise<T>>()

  constructor(connection: Connection, most: number, question: Question<K, T>) {
    this.#connection = connection
    this.#most = most
    this.#question = question
  }

  /** Rejects if main cannot be reached. */
  get(sessionId: SessionId, key: K): Promise<T> {
    const name = this.#question.nameOf(sessionId, key)
    const known = this.#answers.get(name)
    if (known) return known
    const { client } = this.#connection
    if (!client) return Promise.reject(new Error('The window is not connected.'))
    const answer = this.#question.ask(client, sessionId, key)
    this.#remember(name, answer)
    return answer
  }

  /** Keeps an answer with bytes. Drops all others, and the oldest answer if there are too many. */
  #remember(name: string, answer: Promise<T>): void {
    this.#answers.set(name, answer)
    const drop = (): unknown => this.#answers.delete(name)
    answer.then((given) => this.#question.isFound(given) || drop(), drop)
    const oldest = this.#answers.size > this.#most ? this.#answers.keys().next().value : undefined
    if (oldest !== undefined) this.#answers.delete(oldest)
  }
}
