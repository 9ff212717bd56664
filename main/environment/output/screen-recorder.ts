import type { Terminal } from '@xterm/headless'
import type { TerminalSnapshot } from '../../agent/ports/execution-environment.ts'
import { setsMode } from './control-sequences.ts'
import { draw, type EmulatorSize, openEmulator } from './terminal-emulator.ts'
import { followModes, type TerminalModes } from './terminal-modes.ts'

/** Number of characters of raw output that are kept before anything is drawn. Also the maximum length of a snapshot. */
const KEEP = 256 * 1024
/** Number of rows above the screen that a snapshot restores. Smaller numbers are used if the rows would exceed `KEEP`. */
const SCROLLBACKS = [1000, 200, 0] as const

interface Drawing {
  readonly terminal: Terminal
  readonly modes: TerminalModes
}

/**
 * Records what another terminal needs in order to show the same screen. Nothing is drawn until it is needed, or until a program that moves
 * the cursor has written a lot. For text that is only appended, the last 256 K characters are enough.
 */
export class ScreenRecorder {
  readonly #onBacklog: (isFull: boolean) => void
  #size: EmulatorSize
  /** Text that is not drawn yet, in pieces, so that the oldest can be dropped without copying. */
  #pending: string[] = []
  #held = 0
  /** Whether nothing in `#pending` moves the cursor. */
  #isPlain = true
  #isSticky = false
  #isFull = false
  #drawing = 0
  #chain: Promise<Drawing | null> = Promise.resolve(null)

  constructor(size: EmulatorSize, onBacklog: (isFull: boolean) => void) {
    this.#size = size
    this.#onBacklog = onBacklog
  }

  /** `isPlain`: whether the text is only appended, so that nothing in it moves the cursor. */
  write(text: string, isPlain: boolean): void {
    this.#pending.push(text)
    this.#held += text.length
    this.#isPlain &&= isPlain
    if (this.#held <= 2 * KEEP) return
    if (this.#isPlain && !this.#isSticky && this.#dropOldest()) return
    if (this.#drawing === 0) void this.#drawPending()
    else this.#tellBacklog(true)
  }

  /**
   * Drops the oldest text down to `KEEP` characters, at a place where the cursor is at the left edge. Keeps the colors and modes that the
   * dropped text set. Returns false if there is no such place.
   */
  #dropOldest(): boolean {
    let first = 0
    let left = this.#held
    for (const piece of this.#pending) {
      if (left - piece.length < KEEP && piece.includes('\r\n')) break
      left -= piece.length
      first += 1
    }
    const [piece = '', ...kept] = this.#pending.slice(first)
    if (left < KEEP / 2) return false
    const cut = piece.indexOf('\r\n')
    const state = lastingState([...this.#pending.slice(0, first), piece.slice(0, cut)])
    this.#pending = [state, piece.slice(cut + 2), ...kept]
    this.#held = left - cut - 2 + state.length
    return true
  }

  resize(size: EmulatorSize): void {
    void this.#drawPending().then(({ terminal }) => terminal.resize(size.columns, size.rows))
    this.#size = size
  }

  async snapshot(): Promise<TerminalSnapshot> {
    const size = this.#size
    const drawing = this.#drawPending()
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    // This runs inside the chain, so that the result does not contain later output.
    this.#chain = drawing.then(async (drawn) => {
      await serialized(drawn).then(resolve, reject)
      return drawn
    })
    this.#chain.catch(reject)
    return { ...size, data: await promise }
  }

  #drawPending(): Promise<Drawing> {
    const text = this.#pending.join('')
    const size = this.#size
    this.#pending = []
    this.#held = 0
    this.#isPlain = true
    this.#drawing += 1
    if (setsMode(text)) this.#isSticky = true
    const drawn = this.#chain.then(async (open) => {
      const drawing = open ?? (await openDrawing(size))
      await draw(drawing.terminal, text)
      this.#drawing -= 1
      this.#tellBacklog(false)
      return drawing
    })
    this.#chain = drawn
    return drawn
  }

  #tellBacklog(isFull: boolean): void {
    if (isFull === this.#isFull) return
    this.#isFull = isFull
    this.#onBacklog(isFull)
  }
}

async function openDrawing(size: EmulatorSize): Promise<Drawing> {
  const terminal = await openEmulator(size, SCROLLBACKS[0])
  return { terminal, modes: followModes(terminal) }
}

async function serialized({ terminal, modes }: Drawing): Promise<string> {
  const { SerializeAddon } = await import('@xterm/addon-serialize')
  const addon = new SerializeAddon()
  terminal.loadAddon(addon)
  try {
    for (const scrollback of SCROLLBACKS) {
      const data = addon.serialize({ scrollback }) + modes.sequence()
      if (data.length <= KEEP) return data
    }
    return ''
  } finally {
    addon.dispose()
  }
}

const MODE = /\x1b(?:\[\?[\d;]*[hl]|[=>])/g
const COLOUR = /\x1b\[[\d;:]*m/g
const RESETS = ['\x1b[0m', '\x1b[m'] as const
/** Maximum number of color sequences since the last reset that are kept. */
const MAX_COLOURS = 200

/**
 * The sequences of dropped text that still have an effect after it: the last sequence of each mode, and the colors since the last reset.
 */
function lastingState(dropped: readonly string[]): string {
  // The pieces are joined only if needed, because joining copies all output.
  if (!dropped.some((piece) => piece.includes('\x1b'))) return ''
  const text = dropped.join('')
  const modes = new Map<string, string>()
  for (const [sequence] of text.matchAll(MODE)) modes.set(sequence.slice(1, -1), sequence)
  let colours: string[] = []
  // Colored output has two sequences per line, and nearly all of them come before the last reset.
  const reset = Math.max(0, ...RESETS.map((sequence) => text.lastIndexOf(sequence)))
  for (const [sequence] of text.slice(reset).matchAll(COLOUR)) {
    if (/^\D*0*m$/.test(sequence)) colours = []
    else colours.push(sequence)
  }
  return [...modes.values(), ...colours.slice(-MAX_COLOURS)].join('')
}
