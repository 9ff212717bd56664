import type { QuitAnswer, QuitQuestion } from '../shared/api/app.ts'
import type { Disposable } from '../shared/lib/disposable.ts'
import { Emitter } from '../shared/lib/emitter.ts'

/** How long a page has to show the question, in ms. If a hanging page does not show it, the system's dialog asks. */
const DRAWN_MS = 1_500

/** The question that a page asks before the app quits. Shells other than the desktop never ask. */
export class QuitQuestions {
  readonly #changed = new Emitter<void>()
  #open: { readonly question: QuitQuestion; readonly settle: (answer: QuitAnswer | null) => void; seen: boolean } | null = null
  #lastId = 0

  readonly current = (): QuitQuestion | null => this.#open?.question ?? null
  readonly onChange = (listener: () => void): Disposable => this.#changed.event(listener)

  /**
   * Resolves to the answer, to `cancel` when `over` aborts, or to null if no page drew the question or `giveUp` was called. Only one
   * question is open at a time.
   */
  async ask(asked: Omit<QuitQuestion, 'id'>, over: AbortSignal): Promise<QuitAnswer | null> {
    const { promise, resolve } = Promise.withResolvers<QuitAnswer | null>()
    const open = { question: { ...asked, id: ++this.#lastId }, settle: resolve, seen: false }
    const late = setTimeout(() => !open.seen && resolve(null), DRAWN_MS)
    const cancel = (): void => resolve('cancel')
    over.addEventListener('abort', cancel)
    this.#open = open
    this.#changed.fire()
    try {
      return await promise
    } finally {
      clearTimeout(late)
      over.removeEventListener('abort', cancel)
      this.#open = null
      this.#changed.fire()
    }
  }

  /** A page has drawn the question. */
  drawn(id: number): void {
    if (this.#open?.question.id === id) this.#open.seen = true
  }

  /** Returns false if this question is no longer open. */
  answer(id: number, answer: QuitAnswer): boolean {
    if (this.#open?.question.id !== id) return false
    this.#open.settle(answer)
    return true
  }

  /** The page hangs or is gone. */
  giveUp(): void {
    this.#open?.settle(null)
  }
}
