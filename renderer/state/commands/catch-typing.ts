import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { Desk } from '../desk.ts'
import { isComposing } from '../../ui/is-composing.ts'

/** How long to wait for the field to appear, in ms, once nothing else is waited for. Keys pressed later go to the focused element. */
const TIMEOUT_MS = 3_000

export interface TypingTarget {
  /** The field that is about to open. Null while it does not exist. */
  readonly field: () => HTMLElement | null
  /** Receives the text that was typed before the field existed. Also called if the field never appears, so that no text is lost. */
  readonly give: (text: string) => void
  /** The text that Enter types. Without it, Enter is pressed in the field once it exists. */
  readonly enter?: string
  /** What must be done before the field can appear. However long it takes, no key reaches what has the focus meanwhile. */
  readonly after?: Promise<unknown>
}

/**
 * Holds every key until a field that is about to open exists. Then the field gets the focus, the text, and the other keys in their order. A
 * click gives the focus up: the text still goes to the field, and the other keys are dropped.
 */
export function catchTyping({ field, give, enter, after }: TypingTarget): void {
  const held = new HeldKeys(enter)
  let until = after ? Number.POSITIVE_INFINITY : performance.now() + TIMEOUT_MS
  const settle = (): void => {
    until = performance.now() + TIMEOUT_MS
  }
  after?.then(settle, settle)
  let hasLeft = false
  let isReplaying = false

  const onKeyDown = (event: KeyboardEvent): void => {
    if (isReplaying || hasLeft || isComposing(event) || MODIFIERS.has(event.key)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    held.add(event)
  }
  const leave = (): void => {
    hasLeft = true
  }
  const end = (): void => {
    removeEventListener('keydown', onKeyDown, { capture: true })
    removeEventListener('pointerdown', leave, { capture: true })
  }
  const giveText = (): void => {
    const text = held.allText()
    if (text !== '') give(text)
    end()
  }
  const replay = (place: HTMLElement): void => {
    const next = held.next()
    if (next === null) return end()
    isReplaying = true
    if (typeof next === 'string') give(next)
    else place.dispatchEvent(next)
    isReplaying = false
    // The next key must find what the one before it has changed.
    requestAnimationFrame(look)
  }
  const look = (): void => {
    const place = field()
    if (place === null) {
      if (performance.now() < until) requestAnimationFrame(look)
      else giveText()
    } else if (hasLeft) giveText()
    else {
      place.focus({ preventScroll: true })
      replay(place)
    }
  }
  addEventListener('keydown', onKeyDown, { capture: true })
  addEventListener('pointerdown', leave, { capture: true, once: true })
  requestAnimationFrame(look)
}

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Meta', 'Alt', 'AltGraph'])

/** Pressed keys in their order, with typed characters joined to texts. */
class HeldKeys {
  readonly #enter: string | undefined
  #keys: readonly (string | KeyboardEvent)[] = []

  constructor(enter: string | undefined) {
    this.#enter = enter
  }

  add(event: KeyboardEvent): void {
    const key = event.key === 'Enter' && this.#enter !== undefined ? this.#enter : event.key
    const last = this.#keys.at(-1)
    const text = typeof last === 'string' ? last : ''
    const others = typeof last === 'string' ? this.#keys.slice(0, -1) : this.#keys
    const types = [...key].length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    if (types) this.#keys = [...others, text + key]
    else if (key === 'Backspace') this.#keys = [...others, [...text].slice(0, -1).join('')]
    else this.#keys = [...this.#keys, new KeyboardEvent('keydown', event)]
  }

  /** Takes the next text or key. */
  next(): string | KeyboardEvent | null {
    const [next, ...rest] = this.#keys
    this.#keys = rest
    return next ?? null
  }

  allText(): string {
    return this.#keys.filter((key) => typeof key === 'string').join('')
  }
}

/**
 * Runs a command that shows another session when it is done. Keys pressed meanwhile belong to that session. If the command fails, what was
 * typed is kept as a draft of the session on screen, and nothing is sent.
 */
export function typeIntoNextSession(desk: Desk, command: () => Promise<Trouble | null>): Promise<Trouble | null> {
  const left = desk.view.getState().sessionId
  const draft = left === null ? '' : desk.drafts.get(left)
  const shown = (): SessionId | null => desk.view.getState().sessionId
  const running = command()
  let hasWorked = false
  const after = running.then((trouble) => {
    hasWorked = trouble === null
    if (left !== null && hasWorked) moveAddition(desk, draft, left)
  })
  catchTyping({
    field: () => {
      const sessionId = shown()
      // Once the command has worked, the session may still be the same one, because an empty session is reused.
      if (sessionId === null || (sessionId === left && !hasWorked)) return null
      return document.querySelector<HTMLElement>(`[data-composer-of="${CSS.escape(sessionId)}"]`)
    },
    give: (text) => {
      const sessionId = shown()
      if (sessionId !== null) desk.drafts.set(sessionId, desk.drafts.get(sessionId) + text)
    },
    after,
  })
  return running
}

/** Gives the session on screen what was added to the draft of the session before it without keys: from an input method, by dictation, pasted. */
function moveAddition(desk: Desk, draft: string, left: SessionId): void {
  const { sessionId } = desk.view.getState()
  const now = desk.drafts.get(left)
  if (sessionId === null || sessionId === left || now === draft || !now.startsWith(draft)) return
  desk.drafts.set(left, draft)
  desk.drafts.set(sessionId, desk.drafts.get(sessionId) + now.slice(draft.length))
}
