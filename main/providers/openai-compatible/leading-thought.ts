const OPENING = '<think>'
const CLOSING = '</think>'

/** A piece of an answer, told apart. */
export interface ThoughtAndText {
  readonly thought: string
  readonly text: string
}

/**
 * Tells reasoning apart that a local server leaves in the text: `<think>…</think>` at the very beginning of an answer, cut anywhere. Anywhere
 * else the tags are what the answer speaks of. Blanks around the reasoning are none of it.
 */
export class LeadingThought {
  #state: 'before' | 'inside' | 'behind' | 'over' = 'before'
  /** What could still become a tag, or blanks in front of one. */
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

  /** What is still held back, should nothing come any more. */
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

/** Where the blanks in front of the closing tag, or that itself, may have begun at the end of a text. */
function startOfTag(text: string): number {
  for (let from = Math.max(0, text.length - CLOSING.length + 1); from < text.length; from++)
    if (CLOSING.startsWith(text.slice(from))) return text.slice(0, from).trimEnd().length
  return text.trimEnd().length
}
