import '@xterm/xterm/css/xterm.css'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { isDeskKey } from './desk-key.ts'
import { type ScreenState, TerminalScreen } from './terminal-screen.ts'
import type { TerminalSource } from './terminal-source.ts'
import styles from './terminal.module.css'

export interface TerminalCanvasProps {
  /** Named for screen readers: "Terminal of npx jest". */
  readonly label: string
  readonly source: TerminalSource
  readonly onLink: (url: string) => void
  readonly onState?: ((state: ScreenState) => void) | undefined
  /** Gets what puts the focus into the terminal. */
  readonly focusRef?: RefObject<(() => void) | null> | undefined
}

/** A terminal as high as what stands in it. */
export function TerminalCanvas({ label, source, onLink, onState, focusRef }: TerminalCanvasProps): ReactNode {
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
      isDeskKey,
    })
    if (focusRef) focusRef.current = () => screen.focus()
    return () => {
      if (focusRef) focusRef.current = null
      screen.dispose()
    }
  }, [label, source, focusRef])
  return (
    <div className={styles.crop} style={height === null ? undefined : { height }}>
      <div ref={place} className={styles.place} />
    </div>
  )
}
