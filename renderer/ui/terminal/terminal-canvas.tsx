import '@xterm/xterm/css/xterm.css'
import { type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import type { LinkEvents } from './terminal-links.ts'
import { type ScreenState, TerminalScreen } from './terminal-screen.ts'
import type { TerminalSource } from './terminal-source.ts'
import styles from './terminal.module.css'
import { keyboardPlatform, keysOf, PersonKeysContext, type Platform, type Press } from '../marks/key-labels.ts'

export interface TerminalCanvasProps {
  /** Accessible name: "Terminal of npx jest". */
  readonly label: string
  readonly source: TerminalSource
  readonly onLink: (url: string) => void
  readonly onState?: ((state: ScreenState) => void) | undefined
  /** Turns the names of existing files into links. If left out, they are plain text. */
  readonly files?: FileLinks | undefined
  /** Whether the terminal fills its parent, which then needs a height. Otherwise, the terminal is as tall as its content. */
  readonly fills?: boolean | undefined
  /** Called with the terminal, and with null when it is removed. */
  readonly onScreen?: ((screen: TerminalScreen | null) => void) | undefined
}

export type FileLinks = Pick<LinkEvents, 'onFile' | 'existing'>

const NO_FILES: FileLinks = { onFile: () => {}, existing: async () => new Set() }

/** A terminal. */
export function TerminalCanvas({
  label,
  source,
  onLink,
  onState,
  files = NO_FILES,
  fills = false,
  onScreen,
}: TerminalCanvasProps): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const own = useContext(PersonKeysContext)
  const latest = useRef({ onLink, onState, own, files, onScreen })
  const [height, setHeight] = useState<number | null>(null)
  useEffect(() => {
    latest.current = { onLink, onState, own, files, onScreen }
  })
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const screen = new TerminalScreen(element, { label, fills }, source, {
      onRows: (rows, rowHeight) => setHeight(fills ? null : Math.ceil(rows * rowHeight)),
      onState: (state) => latest.current.onState?.(state),
      onLink: (url) => latest.current.onLink(url),
      onFile: (place) => latest.current.files.onFile(place),
      existing: (paths) => latest.current.files.existing(paths),
      isDeskKey: (event) => isDeskKey(event, latest.current.own),
    })
    latest.current.onScreen?.(screen)
    return () => {
      latest.current.onScreen?.(null)
      screen.dispose()
    }
  }, [label, source, fills])
  return (
    <div className={fills ? styles.filled : styles.crop} style={height === null ? undefined : { height }}>
      <div ref={place} className={classNames(styles.place, fills && styles.fills)} />
    </div>
  )
}

/** Keys of the desk that work even while a terminal has the focus, written as default keys. */
const DESK_KEYS = ['F6', 'Shift+F6', 'Mod+J', 'Mod+Backquote', 'Mod+Shift+Backquote']

export function isDeskKey(event: Press, own: (defaultKey: string) => string, platform: Platform = keyboardPlatform()): boolean {
  const keys = keysOf(event, platform === 'mac')
  return DESK_KEYS.some((defaultKey) => own(defaultKey) === keys)
}
