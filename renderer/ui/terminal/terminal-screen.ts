import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import type { TerminalItem } from '../../../shared/api/terminals.ts'
import { type Disposable, DisposableStore, disposable } from '../../../shared/lib/disposable.ts'
import { giveStylesTheNonce } from '../style-nonce.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { dropOldQueries } from './drop-old-queries.ts'
import type { TerminalSource } from './terminal-source.ts'
import { onAppearance, terminalTheme } from './terminal-theme.ts'
import { type LinkEvents, terminalLinks } from './terminal-links.ts'
import { lastLines, searchTerminal, type Sought } from './terminal-search.ts'
import { usedRows } from './used-rows.ts'

/** The state of a terminal. */
export type ScreenState = 'waiting' | 'live' | 'ended' | 'nothing'

export interface ScreenEvents extends LinkEvents {
  /** Reports the number of used rows, which determines the height of the terminal. */
  onRows(rows: number, rowHeight: number): void
  onState(state: ScreenState): void
  /** Whether a key belongs to the desk and not to the command. */
  isDeskKey(event: KeyboardEvent): boolean
}

export interface ScreenOptions {
  /** Accessible name. */
  readonly label: string
  /** Whether the terminal has as many rows as fit into its place. */
  readonly fills: boolean
}

/** Number of lines kept above the screen. */
const SCROLLBACK = 10_000
/**
 * Number of rows of every terminal that does not fill its place, the same as at the start of a command. Changing it while the terminal is
 * hidden would lose the scroll position.
 */
const ROWS = 30
/**
 * Number of characters that are written at once. The terminal lets the page draw and handle keys only between two writes, and 1,000
 * characters of short lines take it up to 5 ms.
 */
const PIECE = 1_024
/** Ends an unfinished sequence and resets the terminal. */
const RESET = '\x18\x1bc'
/** Sequences that output must not use: clipboard access (52) and window titles (0, 1, 2). */
const IGNORED_OSC = [0, 1, 2, 52]

/** A command's terminal on the page. Draws the data of its source, acknowledges it, and sends back typing and size. */
export class TerminalScreen implements Disposable {
  readonly #terminal: Terminal
  readonly #fit = new FitAddon()
  readonly #source: TerminalSource
  readonly #events: ScreenEvents
  readonly #acknowledgements: Acknowledgements
  readonly #store = new DisposableStore()
  readonly #place: HTMLElement
  readonly #fills: boolean
  #state: ScreenState = 'waiting'
  #replaying = false
  /** Text typed before the terminal was ready. It is sent to the command afterwards. */
  #typed = ''
  /** True until the terminal has been fitted to its place on the page. Until then its number of columns is unknown. */
  #unfitted = true

  constructor(place: HTMLElement, { label, fills }: ScreenOptions, source: TerminalSource, events: ScreenEvents) {
    giveStylesTheNonce()
    this.#place = place
    this.#fills = fills
    this.#source = source
    this.#events = events
    this.#acknowledgements = new Acknowledgements((watcher, chars) => source.acknowledge(watcher, chars))
    this.#terminal = new Terminal({
      allowProposedApi: true,
      rows: ROWS,
      scrollback: SCROLLBACK,
      minimumContrastRatio: 4.5,
      cursorInactiveStyle: 'none',
      reflowCursorLine: true,
      drawBoldTextInBrightColors: false,
      fontWeightBold: 600,
      overviewRuler: { width: 8 },
      linkHandler: { activate: (event, url) => this.#openLink(event, url) },
      ...appearanceOf(place),
    })
    this.#store.add(this.#terminal)
    this.#store.add(dropOldQueries(this.#terminal, () => this.#replaying))
    for (const code of IGNORED_OSC) this.#store.add(this.#terminal.parser.registerOscHandler(code, () => true))
    this.#terminal.loadAddon(this.#fit)
    this.#terminal.open(place)
    this.#store.add(this.#terminal.registerLinkProvider(terminalLinks(this.#terminal, events)))
    this.#terminal.textarea?.setAttribute('aria-label', label)
    this.#watch()
    this.#fitNow()
    this.#store.add(source.follow((item) => this.#receive(item)))
  }

  /** Selects the next match of these words (1), the previous one (-1), or the last one (null). */
  search(words: string, by: 1 | -1 | null): Sought {
    return searchTerminal(this.#terminal, words, by)
  }

  /** The selected text, or the last lines if nothing is selected. */
  text(mostLines: number): string {
    return this.#terminal.getSelection() || lastLines(this.#terminal, mostLines)
  }

  dispose(): void {
    this.#store.dispose()
  }

  #watch(): void {
    const { onData, onBinary, onWriteParsed, onRender, onResize } = this.#terminal
    this.#terminal.attachCustomKeyEventHandler((event) => !this.#events.isDeskKey(event))
    this.#store.add(onData((data) => this.#type(data)))
    this.#store.add(onBinary((data) => this.#type(data)))
    this.#store.add(onWriteParsed(() => this.#measure()))
    this.#store.add(onRender(() => this.#unfitted && this.#fitNow()))
    this.#store.add(onResize(({ cols, rows }) => this.#state === 'live' && !this.#replaying && this.#source.resize(cols, rows)))
    const observer = new ResizeObserver(() => this.#fitNow())
    observer.observe(this.#place)
    this.#store.add(disposable(() => observer.disconnect()))
    this.#store.add(
      disposable(
        onAppearance(() => {
          Object.assign(this.#terminal.options, appearanceOf(this.#place))
          this.#fitNow()
        }),
      ),
    )
  }

  #receive(item: TerminalItem): void {
    switch (item.kind) {
      case 'replay':
        return this.#replay(item)
      case 'data':
        return this.#write(item.data, this.#acknowledgements.take(item.data.length))
      case 'exit':
        return this.#terminal.write('', () => this.#setState('ended'))
      case 'none':
        return this.#setState('nothing')
    }
  }

  /**
   * Replays the data at the size at which it was recorded, then resizes the terminal to this page's size. The terminal then wraps the lines
   * again.
   */
  #replay({ columns, rows, data, watcher }: Extract<TerminalItem, { readonly kind: 'replay' }>): void {
    this.#acknowledgements.begin(watcher)
    this.#replaying = true
    this.#setState('live')
    const { cols, rows: before } = this.#terminal
    if (cols !== columns || before !== rows) {
      this.#terminal.reset()
      this.#terminal.resize(columns, rows)
    }
    // Resetting it together with the data avoids a frame without text. While much output comes, there are four replays a second.
    this.#write(RESET + data, () => {
      this.#replaying = false
      this.#sendTyped()
      this.#fitNow()
      this.#terminal.scrollToBottom()
      this.#measure()
    })
  }

  #write(data: string, onDrawn: () => void): void {
    let at = 0
    for (; at + PIECE < data.length; at += PIECE) this.#terminal.write(data.slice(at, at + PIECE))
    this.#terminal.write(data.slice(at), onDrawn)
  }

  #type(data: string): void {
    this.#typed += data
    this.#sendTyped()
  }

  #sendTyped(): void {
    if (this.#state === 'waiting' || this.#replaying) return
    const typed = this.#typed
    this.#typed = ''
    if (this.#state === 'live' && typed !== '') this.#source.write(typed)
  }

  #setState(state: ScreenState): void {
    if (this.#state === state) return
    this.#state = state
    this.#terminal.options.disableStdin = state !== 'live'
    this.#measure()
    this.#events.onState(state)
  }

  #fitNow(): void {
    // A hidden terminal has no width, which must not be reported to the command.
    if (this.#replaying || this.#place.clientWidth === 0) return
    const { viewportY, baseY } = this.#terminal.buffer.active
    const { cols: columns, rows = ROWS } = this.#fit.proposeDimensions() ?? {}
    this.#unfitted = columns === undefined || !Number.isFinite(columns)
    if (columns !== undefined && !this.#unfitted) this.#terminal.resize(Math.max(20, columns), this.#fills ? Math.max(2, rows) : ROWS)
    if (viewportY >= baseY) this.#terminal.scrollToBottom()
    this.#measure()
  }

  #measure(): void {
    const { buffer, rows, element } = this.#terminal
    const { type, baseY, cursorY } = buffer.active
    const textOf = (row: number): string => buffer.active.getLine(baseY + row)?.translateToString(true) ?? ''
    const height = element?.querySelector('.xterm-screen')?.clientHeight ?? 0
    if (height > 0) this.#events.onRows(usedRows({ type, baseY, cursorY, rows, textOf }, this.#state === 'live'), height / rows)
  }

  #openLink(event: MouseEvent, url: string): void {
    if (event.ctrlKey || event.metaKey) this.#events.onLink(url)
  }
}

/** The current font and colors of the page. The font is 12 px in rows of 18 px, times the text size. */
function appearanceOf(place: HTMLElement): Pick<Terminal['options'], 'fontFamily' | 'fontSize' | 'lineHeight' | 'theme'> {
  const style = getComputedStyle(place)
  return {
    fontFamily: style.getPropertyValue('--mono'),
    fontSize: Number.parseFloat(style.fontSize),
    lineHeight: 1.125,
    theme: terminalTheme(place),
  }
}
