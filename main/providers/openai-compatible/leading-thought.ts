const OPENING = '<think>'
const CLOSING = '</think>'

/** A piece of an answer, divided into reasoning and text. */
export interface ThoughtAndText {
  readonly thought: string
  readonly text: string
}

/**
 * Separates the reasoning that a local server leaves in the text: `<think>…</think>` at the very beginning of an answer. The pieces may be cut
 * anywhere. Later tags are part of the answer. Whitespace around the reasoning is dropped.
 */
export class LeadingThought {
  #state: 'before' | 'inside' | 'behind' | 'over' = 'before'
  /** Text that could still become a tag, or whitespace before one. */
  #held = ''
  #hasThought = false

  take(piece: string): ThoughtAndText {
    const all = this.#held + piece
    this.#held = ''
    switch (this.#state) {
      case 'before':
        return this.#begin(all)
      case 'inside':
        return this.#think(all)
      case 'behind':
        return this.#goOn(all)
      case 'over':
        return { thought: '', text: all }
    }
  }

  /** The text that is still held back at the end of the answer. */
  get rest(): ThoughtAndText {
    return this.#state === 'inside' ? { thought: this.#held.trimEnd(), text: '' } : { thought: '', text: this.#held }
  }

  #begin(all: string): ThoughtAndText {
    const text = all.trimStart()
    if (text.startsWith(OPENING)) {
      this.#state = 'inside'
      return this.#think(text.slice(OPENING.length))
    }
    if (OPENING.startsWith(text)) return this.#hold(all)
    this.#state = 'over'
    return { thought: '', text: all }
  }

  #think(given: string): ThoughtAndText {
    const all = this.#hasThought ? given : given.trimStart()
    const end = all.indexOf(CLOSING)
    if (end === -1) {
      const from = startOfTag(all)
      this.#held = all.slice(from)
      this.#hasThought ||= from > 0
      return { thought: all.slice(0, from), text: '' }
    }
    this.#state = 'behind'
    return { thought: all.slice(0, end).trimEnd(), text: this.#goOn(all.slice(end + CLOSING.length)).text }
  }

  #goOn(all: string): ThoughtAndText {
    const text = all.trimStart()
    if (text !== '') this.#state = 'over'
    return { thought: '', text }
  }

  #hold(all: string): ThoughtAndText {
    this.#held = all
    return { thought: '', text: '' }
  }
}

/** Returns the position from which text must be held back, because its end may begin the closing tag or be whitespace before the tag. */
function startOfTag(text: string): number {
  for (let from = Math.max(0, text.length - CLOSING.length + 1); from < text.length; from++)
    if (CLOSING.startsWith(text.slice(from))) return text.slice(0, from).trimEnd().length
  return text.trimEnd().length
}
