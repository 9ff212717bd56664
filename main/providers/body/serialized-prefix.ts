import { Buffer } from 'node:buffer'
import type { Turn } from '../../../shared/session/conversation-turns.ts'
import type { BodyPieces } from '../http/placeholder-body.ts'
import type { Message } from './request-messages.ts'

/** Size in bytes of the first piece, and maximum size of later pieces. A piece is larger only if it contains a single longer message. */
const FIRST_PIECE = 64 * 1024
const LONGEST_PIECE = 1024 * 1024

/**
 * The messages of one conversation that later requests do not change. Their bytes are written once and never copied. Messages that may
 * still change are not among them, and are kept by the caller: everything from the second-newest user message on, because the two newest
 * user messages have cache marks.
 */
export class SerializedPrefix {
  readonly #target: string
  readonly #json: (message: Message) => string
  readonly #turns: Turn[] = []
  readonly #full: Uint8Array[] = []
  #newest = Buffer.allocUnsafe(FIRST_PIECE)
  #length = 0

  /** `target` identifies the model and whether it gets only JSON tools. Messages for another target may have different bytes. */
  constructor(target: string, json: (message: Message) => string) {
    this.#target = target
    this.#json = json
  }

  /** Number of settled turns. */
  get count(): number {
    return this.#turns.length
  }

  get pieces(): BodyPieces {
    return this.#length === 0 ? this.#full : [...this.#full, this.#newest.subarray(0, this.#length)]
  }

  /** Whether these turns start with the settled ones and are for the same target. */
  fits(turns: readonly Turn[], target: string): boolean {
    const own = this.#turns
    if (target !== this.#target || own.length > turns.length) return false
    for (let index = 0; index < own.length; index++) if (own[index] !== turns[index]) return false
    return true
  }

  /** Adds the messages that can no longer change and returns the others. `messages` are those of the turns from index `count` on. */
  settle(turns: readonly Turn[], messages: readonly Message[]): readonly Message[] {
    const users = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
    let end = users.at(-2) ?? 0
    while (end > 0 && messages[end]?.firstTurn === null) end--
    const first = messages[end]?.firstTurn
    // If there is only an opening before `end`, no turn can be settled. The opening is settled later, with the message after it.
    if (end === 0 || first === undefined || first === null || first === this.count) return messages
    for (const message of messages.slice(0, end)) this.#append(`${this.#isEmpty ? '' : ','}${this.#json(message)}`)
    this.#turns.push(...turns.slice(this.#turns.length, first))
    return messages.slice(end)
  }

  get #isEmpty(): boolean {
    return this.#length === 0 && this.#full.length === 0
  }

  #append(text: string): void {
    const size = Buffer.byteLength(text)
    if (this.#length + size > this.#newest.byteLength) {
      if (this.#length > 0) this.#full.push(this.#newest.subarray(0, this.#length))
      this.#newest = Buffer.allocUnsafe(Math.max(size, Math.min(LONGEST_PIECE, this.#newest.byteLength * 2)))
      this.#length = 0
    }
    this.#length += this.#newest.write(text, this.#length)
  }
}
