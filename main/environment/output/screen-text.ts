import { appendedBytes } from './appended-bytes.ts'
import { plainText, setsMode, unfinishedLength } from './control-sequences.ts'
import type { EmulatorSize } from './terminal-emulator.ts'
import { createHeadTail, type KeptText } from './head-tail.ts'
import { columnAfter, onScreenFrom } from './text-still-on-screen.ts'
import { arePlainBytes } from './utf8-decoder.ts'
import { withoutOverwritten } from './without-overwritten.ts'
import { openTextEmulator, type TextEmulator } from './text-emulator.ts'

/** Text that has left the screen is passed on when this many characters are held back. */
const HOLD = 16 * 1024
/** Minimum length of a piece of plain text, in characters, that makes it worthwhile to stop using the emulator again. */
const LEAVE_AT = 4096
/**
 * Maximum number of characters that are examined in one step. Examining and drawing a megabyte would block the event loop for 60 ms.
 */
const PIECE = 128 * 1024
/** If more than `full` characters are not drawn yet, the source should pause. If there are fewer than `low`, it may resume. */
const BACKLOG = { full: 1024 * 1024, low: 256 * 1024 } as const

/** Nothing, or the beginning of a sequence that `appendedBytes` understands. */
const UNFINISHED_BYTES = /^(?:\r|\x1b(?:\[[\d;:]*)?)?$/

export interface ScreenTextOptions {
  readonly size: EmulatorSize
  /** Whether a line feed also moves the cursor to the first column. Needed for pipes, which have no terminal driver that does this. */
  readonly convertEol: boolean
  /** Number of characters that are kept at the beginning and at the end of the text. */
  readonly keep: { readonly head: number; readonly tail: number }
  /**
   * Called with each part of the text, in order, as soon as the part is final. The bytes are UTF-8, contain only complete characters, and are valid
   * only during the call.
   */
  readonly sink?: ((utf8: Uint8Array) => void) | undefined
  /** Called with true if text arrives faster than it is drawn, and with false when the source may resume. */
  readonly onBacklog?: ((isFull: boolean) => void) | undefined
}

/**
 * Converts the output of a command to the text that a user would have seen: with carriage returns and cursor moves resolved, without colors
 * or titles, with long lines in one piece, and including everything that scrolled off the screen. For text that is only appended, the
 * emulator is not used.
 */
export class ScreenText {
  readonly #options: ScreenTextOptions
  readonly #kept
  #size: EmulatorSize
  /** Raw text that has not been examined yet. */
  #queue = ''
  /** Plain text that may still be on the screen, where a later cursor move can change it. */
  #held = ''
  #emulator: TextEmulator | null = null
  #isBusy = false
  #isSticky = false
  #isFull = false
  #isDone = false
  #ending: PromiseWithResolvers<KeptText> | null = null

  constructor(options: ScreenTextOptions) {
    this.#options = options
    this.#size = options.size
    this.#kept = createHeadTail(options.keep.head, options.keep.tail)
  }

  write(raw: string): void {
    this.#queue += raw
    if (!this.#isBusy) this.#work()
    if (this.#isBusy && !this.#isFull && this.#queue.length > BACKLOG.full) this.#tellBacklog(true)
  }

  /** Writes complete characters as bytes, without making strings of them. Returns false if they must be written as a string. */
  writeBytes(bytes: Buffer): boolean {
    if (this.#isBusy || this.#emulator) return false
    if (this.#queue === '' && arePlainBytes(bytes)) {
      this.#appendBytes(bytes)
      return true
    }
    if (!UNFINISHED_BYTES.test(this.#queue)) return false
    const all = this.#queue === '' ? bytes : Buffer.concat([Buffer.from(this.#queue), bytes])
    const appended = appendedBytes(all)
    if (appended === null) return false
    this.#queue = all.toString('latin1', appended.end)
    this.#appendBytes(appended.text)
    return true
  }

  /** Whether no emulator is in use. In that case the newest text was only appended, apart from an unfinished sequence at its end. */
  get isPlain(): boolean {
    return !this.#isBusy && this.#emulator === null
  }

  /** Whether some text is not on the screen yet. */
  get isDrawing(): boolean {
    return this.#isBusy
  }

  /** The current screen, without text that waits to be drawn. */
  screen(): string {
    if (this.#emulator) return this.#emulator.screen()
    const lines = this.#held
      .slice(-this.#size.rows * this.#size.columns)
      .split('\n')
      .slice(-this.#size.rows)
    return lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd()
  }

  resize(size: EmulatorSize): void {
    this.#size = size
    this.#emulator?.resize(size)
  }

  /** Returns the kept text, once everything is drawn. Nothing may be written afterwards. */
  end(): Promise<KeptText> {
    this.#ending ??= Promise.withResolvers<KeptText>()
    if (!this.#isBusy) this.#work()
    return this.#ending.promise
  }

  #work(): void {
    for (let piece = this.#nextPiece(); piece !== ''; piece = this.#nextPiece()) {
      const plain = this.#emulator && !this.#mayLeave(piece) ? null : plainText(piece)
      if (plain === null) return this.#draw(piece)
      if (this.#emulator) this.#leaveEmulator()
      this.#append(plain)
    }
    this.#finishIfEnding()
  }

  #nextPiece(): string {
    const isRest = this.#queue.length <= PIECE
    const next = isRest ? this.#queue : this.#queue.slice(0, PIECE)
    const kept = unfinishedLength(next) || (!isRest && isCutInside(next) ? 1 : 0)
    const piece = next.slice(0, next.length - kept)
    // An unfinished sequence at the end of all output has no effect, so it is dropped.
    this.#queue = this.#ending && isRest ? '' : this.#queue.slice(piece.length)
    return piece
  }

  #mayLeave(piece: string): boolean {
    return !this.#isSticky && piece.length >= LEAVE_AT && this.#emulator?.appends() === true
  }

  #append(plain: string): void {
    // A piece that fills the complete screen is not joined with the text before it, because that would copy both.
    const from = plain.length > HOLD ? onScreenFrom(plain, this.#size, columnAfter(this.#held, this.#size)) : 0
    if (from > 0) {
      this.#emit(this.#held)
      this.#held = plain
      this.#passOn(from)
    } else {
      this.#held += plain
      if (this.#held.length > HOLD) this.#passOn(onScreenFrom(this.#held, this.#size))
    }
  }

  /** `bytes` are ASCII. */
  #appendBytes(bytes: Buffer): void {
    const from = bytes.length > HOLD ? onScreenFrom(bytes, this.#size, columnAfter(this.#held, this.#size)) : 0
    if (from === 0) return this.#append(bytes.toString('latin1'))
    // Only text that may still be on the screen is decoded here. The rest is passed on as bytes.
    this.#emit(this.#held)
    this.#kept.pushAscii(bytes.subarray(0, from))
    this.#options.sink?.(bytes.subarray(0, from))
    this.#held = bytes.toString('latin1', from)
  }

  #passOn(length: number): void {
    this.#emit(this.#held.slice(0, length))
    this.#held = this.#held.slice(length)
  }

  #emit(text: string): void {
    if (text === '') return
    this.#kept.push(text)
    if (this.#options.sink) encode(text, this.#options.sink)
  }

  #draw(piece: string): void {
    this.#isBusy = true
    if (setsMode(piece)) this.#isSticky = true
    const drawn = (): void => {
      this.#isBusy = false
      if (this.#isFull && this.#queue.length < BACKLOG.low) this.#tellBacklog(false)
      this.#work()
    }
    const lasting = this.#isSticky ? piece : withoutOverwritten(piece, this.#size.columns)
    if (this.#emulator) this.#emulator.write(lasting, drawn)
    else {
      this.#enterEmulator().then(
        (emulator) => emulator.write(lasting, drawn),
        (error: unknown) => this.#fail(error),
      )
    }
  }

  async #enterEmulator(): Promise<TextEmulator> {
    this.#passOn(onScreenFrom(this.#held, this.#size))
    const emulator = await openTextEmulator(this.#size, this.#options.convertEol, (text) => this.#emit(text))
    const held = this.#held.replaceAll('\n', '\r\n')
    this.#held = ''
    this.#emulator = emulator
    await new Promise<void>((drawn) => emulator.write(held, drawn))
    return emulator
  }

  #leaveEmulator(): void {
    this.#held = this.#emulator?.rest() ?? ''
    this.#emulator = null
  }

  #finishIfEnding(): void {
    if (!this.#ending || this.#isDone) return
    this.#isDone = true
    if (this.#emulator) this.#leaveEmulator()
    // Nothing can change the held text anymore, so it is final.
    this.#emit(this.#held)
    this.#ending.resolve(this.#kept.kept())
  }

  /** Without an emulator, nothing more can be drawn, so `end` rejects with the reason. */
  #fail(error: unknown): void {
    this.#ending ??= Promise.withResolvers<KeptText>()
    this.#ending.promise.catch(() => {})
    this.#ending.reject(error)
  }

  #tellBacklog(isFull: boolean): void {
    this.#isFull = isFull
    this.#options.onBacklog?.(isFull)
  }
}

/** Whether the text ends in the middle of a character. */
const isCutInside = (text: string): boolean => /[\ud800-\udbff]$/.test(text)

const encoder = new TextEncoder()
/** One buffer is reused for all texts, because a new buffer per piece would mostly be work for the garbage collector. */
const encoded = new Uint8Array(64 * 1024)

/** Passes text on as UTF-8, in pieces with complete characters. A piece is valid only during the call. */
function encode(text: string, sink: (utf8: Uint8Array) => void): void {
  for (let rest = text; rest !== '';) {
    const { read, written } = encoder.encodeInto(rest, encoded)
    sink(encoded.subarray(0, written))
    rest = rest.slice(read)
  }
}
