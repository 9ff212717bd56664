import '@xterm/xterm/css/xterm.css'
import { type ReactNode, useContext, useEffect, useRef, useState } from 'react'
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
}

/** A terminal as tall as its content. */
export function TerminalCanvas({ label, source, onLink, onState }: TerminalCanvasProps): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const own = useContext(PersonKeysContext)
  const latest = useRef({ onLink, onState, own })
  const [height, setHeight] = useState<number | null>(null)
  useEffect(() => {
    latest.current = { onLink, onState, own }
  })
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const screen = new TerminalScreen(element, label, source, {
      onRows: (rows, rowHeight) => setHeight(Math.ceil(rows * rowHeight)),
      onState: (state) => latest.current.onState?.(state),
      onLink: (url) => latest.current.onLink(url),
      isDeskKey: (event) => isDeskKey(event, latest.current.own),
    })
    return () => screen.dispose()
  }, [label, source])
  return (
    <div className={styles.crop} style={height === null ? undefined : { height }}>
      <div ref={place} className={styles.place} />
    </div>
  )
}

/** Keys of the desk that work even while a terminal has the focus, written as default keys. */
const DESK_KEYS = ['F6', 'Shift+F6', 'Mod+J', 'Mod+Backquote']

export function isDeskKey(event: Press, own: (defaultKey: string) => string, platform: Platform = keyboardPlatform()): boolean {
  const keys = keysOf(event, platform === 'mac')
  return DESK_KEYS.some((defaultKey) => own(defaultKey) === keys)
}
