import type { Terminal } from '@xterm/headless'
import type { SnapshotPart, TerminalSnapshot } from '../../agent/ports/execution-environment.ts'
import { setsMode } from './control-sequences.ts'
import { RecentText } from './recent-text.ts'
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
 * Records what another terminal needs in order to show the same screen. Nothing is drawn until a program that moves the cursor has written
 * a lot, or is looked at. For text that is only appended, its last lines are enough.
 */
export class ScreenRecorder {
  readonly #onBacklog: (isFull: boolean) => void
  #size: EmulatorSize
  /** Text that is not drawn yet. */
  readonly #pending = new RecentText()
  /** Whether nothing in `#pending` moves the cursor. */
  #isPlain = true
  #isSticky = false
  #isFull = false
  #isDrawn = false
  #drawing = 0
  #chain: Promise<Drawing | null> = Promise.resolve(null)

  constructor(size: EmulatorSize, onBacklog: (isFull: boolean) => void) {
    this.#size = size
    this.#onBacklog = onBacklog
  }

  /** `isPlain`: whether the text is only appended, so that nothing in it moves the cursor. */
  write(text: string, isPlain: boolean): void {
    this.#pending.push(text)
    this.#isPlain &&= isPlain
    if (this.#pending.length <= 2 * KEEP) return
    if (this.#onlyAppends && this.#pending.dropOldest(KEEP)) return
    if (this.#drawing === 0) void this.#drawPending()
    else this.#tellBacklog(true)
  }

  resize(size: EmulatorSize): void {
    // Text that is not drawn yet will be wrapped at the new width.
    if (this.#isDrawn || !this.#isPlain) void this.#drawPending().then(({ terminal }) => terminal.resize(size.columns, size.rows))
    this.#size = size
  }

  async snapshot(part: SnapshotPart): Promise<TerminalSnapshot> {
    const size = this.#size
    const scrollbacks = part === 'screen' ? [0] : SCROLLBACKS
    const text = this.#isDrawn || !this.#isPlain ? null : this.#pending.lastLines(size.rows + (scrollbacks[0] ?? 0), KEEP)
    if (text !== null && text.length <= KEEP) return { ...size, data: text }
    const drawing = this.#drawPending()
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    // This runs inside the chain, so that the result does not contain later output.
    this.#chain = drawing.then(async (drawn) => {
      await serialized(drawn, scrollbacks).then(resolve, reject)
      return drawn
    })
    this.#chain.catch(reject)
    return { ...size, data: await promise }
  }

  /** Whether pending text can be cut without drawing it. */
  get #onlyAppends(): boolean {
    return this.#isPlain && !this.#isSticky
  }

  #drawPending(): Promise<Drawing> {
    // Rows that would scroll out of the emulator's buffer anyway are not drawn.
    const last = this.#onlyAppends ? this.#pending.lastLines(this.#size.rows + SCROLLBACKS[0], Infinity) : null
    const all = this.#pending.take()
    const text = last ?? all
    const size = this.#size
    if (!this.#isPlain && setsMode(all)) this.#isSticky = true
    this.#isPlain = true
    this.#isDrawn = true
    this.#drawing += 1
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

async function serialized({ terminal, modes }: Drawing, scrollbacks: readonly number[]): Promise<string> {
  const { SerializeAddon } = await import('@xterm/addon-serialize')
  const addon = new SerializeAddon()
  terminal.loadAddon(addon)
  try {
    for (const scrollback of scrollbacks) {
      const data = addon.serialize({ scrollback }) + modes.sequence()
      if (data.length <= KEEP) return data
    }
    return ''
  } finally {
    addon.dispose()
  }
}
