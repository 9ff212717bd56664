import { Buffer } from 'node:buffer'
import type { Turn } from '../../../shared/session/turns.ts'
import type { Message } from './messages.ts'

/** Bytes. */
const FIRST_CAPACITY = 64 * 1024

/**
 * The messages of one conversation that no later request writes otherwise, as bytes: written once, and from then on only copied. What
 * may still change is left to the caller: the two newest user messages, which carry marks, and everything between and after them.
 */
export class SettledMessages {
  readonly #model: string
  readonly #json: (message: Message) => string
  readonly #turns: Turn[] = []
  #bytes = Buffer.allocUnsafe(FIRST_CAPACITY)
  #length = 0

  constructor(model: string, json: (message: Message) => string) {
    this.#model = model
    this.#json = json
  }

  /** How many turns are settled. */
  get count(): number {
    return this.#turns.length
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Whether these turns begin with the settled ones, to be asked of the same model. */
  fits(turns: readonly Turn[], model: string): boolean {
    return model === this.#model && this.#turns.length <= turns.length && this.#turns.every((turn, index) => turn === turns[index])
  }

  /** Adds the messages that are settled now; those that are not come back. `messages` are made of the turns from `count` on. */
  settle(turns: readonly Turn[], messages: readonly Message[]): readonly Message[] {
    const users = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
    let end = users.at(-2) ?? 0
    while (end > 0 && messages[end]?.firstTurn === null) end--
    const first = messages[end]?.firstTurn
    if (end === 0 || first === undefined || first === null) return messages
    for (const message of messages.slice(0, end)) this.#append(`${this.#length > 0 ? ',' : ''}${this.#json(message)}`)
    this.#turns.push(...turns.slice(this.#turns.length, first))
    return messages.slice(end)
  }

  #append(text: string): void {
    const size = Buffer.byteLength(text)
    if (this.#length + size > this.#bytes.byteLength) {
      const larger = Buffer.allocUnsafe(Math.max(this.#bytes.byteLength * 2, this.#length + size))
      larger.set(this.bytes)
      this.#bytes = larger
    }
    this.#length += this.#bytes.write(text, this.#length)
  }
}
