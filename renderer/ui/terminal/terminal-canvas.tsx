import '@xterm/xterm/css/xterm.css'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type ScreenState, TerminalScreen } from './terminal-screen.ts'
import type { TerminalSource } from './terminal-source.ts'
import styles from './terminal.module.css'
import { keyboardPlatform, type Platform } from '../marks/key-words.ts'

export interface TerminalCanvasProps {
  /** Accessible name: "Terminal of npx jest". */
  readonly label: string
  readonly source: TerminalSource
  readonly onLink: (url: string) => void
  readonly onState?: ((state: ScreenState) => void) | undefined
}

/** A terminal as high as its content. */
export function TerminalCanvas({ label, source, onLink, onState }: TerminalCanvasProps): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const told = useRef({ onLink, onState })
  const [height, setHeight] = useState<number | null>(null)
  useEffect(() => {
    told.current = { onLink, onState }
  })
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const screen = new TerminalScreen(element, label, source, {
      onRows: (rows, rowHeight) => setHeight(Math.ceil(rows * rowHeight)),
      onState: (state) => told.current.onState?.(state),
      onLink: (url) => told.current.onLink(url),
      isDeskKey: (event) => isDeskKey(event),
    })
    return () => screen.dispose()
  }, [label, source])
  return (
    <div className={styles.crop} style={height === null ? undefined : { height }}>
      <div ref={place} className={styles.place} />
    </div>
  )
}

/** Keys of the desk that work even while a terminal has the focus: F6, Ctrl J, and the terminal shortcut. */
export function isDeskKey(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
  platform: Platform = keyboardPlatform(),
): boolean {
  if (event.key === 'F6' && !event.ctrlKey && !event.altKey && !event.metaKey) return true
  const mod = (platform === 'mac' ? event.metaKey : event.ctrlKey) && !event.altKey && !event.shiftKey
  return mod && (event.key === 'j' || event.key === '`')
}
