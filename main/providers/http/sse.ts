/** One frame of an event stream. `event` is null if the frame contains no event name. */
export interface SseFrame {
  readonly event: string | null
  readonly data: string
}

/** Names of ignored fields. A comment's name is empty. */
const PASSED_OVER: ReadonlySet<string> = new Set(['', 'id', 'retry'])
/** Maximum number of characters of stray lines that are kept. */
const MAX_STRAY = 4_096

/**
 * Reads `text/event-stream` from bytes that may be cut anywhere: in a character, in a line, between CR and LF. Lines end with LF, CR or
 * CRLF. Comments, `id:`, `retry:` and frames without data are ignored. A byte order mark is dropped. Invalid UTF-8 becomes U+FFFD.
 */
export class SseReader {
  readonly #decoder = new TextDecoder('utf-8')
  /** The pieces of an unfinished line. They are joined once, so that the cost of a very long line stays linear. */
  #open: string[] = []
  #afterCr = false
  #event: string | null = null
  #data: string[] = []
  #frames: SseFrame[] = []
  #stray = ''

  /** The first lines that are not part of an event stream. They are kept because some services report an error that way. */
  get stray(): string {
    return this.#stray
  }

  push(bytes: Uint8Array): readonly SseFrame[] {
    this.#read(this.#decoder.decode(bytes, { stream: true }))
    return this.#take()
  }

  /** Call this at the end of the stream. Returns the last frame even if the blank line after it is missing. */
  end(): readonly SseFrame[] {
    this.#read(this.#decoder.decode())
    if (this.#open.length > 0) this.#line(this.#open.join(''))
    this.#open = []
    this.#line('')
    return this.#take()
  }

  #take(): readonly SseFrame[] {
    const frames = this.#frames
    this.#frames = []
    return frames
  }

  #read(text: string): void {
    let start = this.#afterCr && text.startsWith('\n') ? 1 : 0
    if (text !== '') this.#afterCr = false
    let lf = text.indexOf('\n', start)
    let cr = text.indexOf('\r', start)
    while (lf !== -1 || cr !== -1) {
      const byCr = cr !== -1 && (lf === -1 || cr < lf)
      const end = byCr ? cr : lf
      const rest = text.slice(start, end)
      this.#line(this.#open.length > 0 ? this.#open.join('') + rest : rest)
      if (this.#open.length > 0) this.#open = []
      start = end + 1
      if (byCr && lf === start) start++
      else if (byCr && start === text.length) this.#afterCr = true
      if (lf !== -1 && lf < start) lf = text.indexOf('\n', start)
      if (cr !== -1 && cr < start) cr = text.indexOf('\r', start)
    }
    if (start < text.length) this.#open.push(text.slice(start))
  }

  #line(line: string): void {
    if (line === '') {
      if (this.#data.length > 0) this.#frames.push({ event: this.#event, data: this.#data.join('\n') })
      this.#event = null
      if (this.#data.length > 0) this.#data = []
      return
    }
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    if (name !== 'data' && name !== 'event') {
      if (!PASSED_OVER.has(name) && this.#stray.length < MAX_STRAY) this.#stray += `${line}\n`
      return
    }
    const value = colon === -1 ? '' : line.slice(line.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1)
    if (name === 'data') this.#data.push(value)
    else this.#event = value
  }
}
