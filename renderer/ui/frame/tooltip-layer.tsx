import { type ReactNode, useEffect, useRef, useState } from 'react'
import { clipped } from '../format.ts'
import { useKeyHint } from '../marks/key-labels.ts'
import { ErrorBoundary } from '../notices/error-boundary.tsx'
import styles from './tooltip-layer.module.css'
import { withCodes } from '../../../shared/lib/hidden-characters.ts'

/** Maximum number of characters of a tooltip, about six lines. */
const LONGEST = 240

/**
 * Shows the `data-tip` and `data-tip-keys` of the hovered or focused element. The window has one layer for any number of elements with
 * tips. The layer is hidden from screen readers, because they get the same text in another way. A tip that cannot be shown is left out.
 */
export function TooltipLayer(): ReactNode {
  const [tip, setTip] = useState<Tip | null>(null)
  useEffect(() => watchTips(document, setTip), [])
  if (tip === null) return null
  return (
    <ErrorBoundary key={tip.number} what="This tip" renderNotice={() => null}>
      <TipBox {...tip} />
    </ErrorBoundary>
  )
}

function TipBox({ source, words, keys }: Tip): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const hint = useKeyHint()
  const held = keys === undefined ? '' : hint(keys)
  useEffect(() => box.current?.showPopover({ source }), [source])
  return (
    <div ref={box} className={styles.tip} popover="manual" aria-hidden="true">
      {clipped(withCodes(words), LONGEST)}
      {held !== '' && <kbd className={styles.keys}>{held}</kbd>}
    </div>
  )
}

interface Tip {
  /** Counts the tips of the window. */
  readonly number: number
  readonly source: HTMLElement
  readonly words: string
  readonly keys: string | undefined
}

/** Hover time in ms before a tooltip is shown. */
const TIP_DELAY_MS = 500

/**
 * Reports the tip to show, or null. A tip is shown with a delay on hover, and at once on keyboard focus. A press, key or scroll hides it.
 */
function watchTips(root: Document, show: (tip: Tip | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let over: HTMLElement | null = null
  let shown = 0

  const find = (target: EventTarget | null): HTMLElement | null =>
    target instanceof Element ? target.closest<HTMLElement>('[data-tip]:not([data-tip=""])') : null
  const open = (source: HTMLElement): void => {
    if (!source.isConnected) return
    shown += 1
    show({ number: shown, source, words: source.dataset['tip'] ?? '', keys: source.dataset['tipKeys'] })
  }
  const close = (): void => {
    clearTimeout(timer)
    show(null)
  }

  const stop = new AbortController()
  const listen = { signal: stop.signal, passive: true, capture: true } as const
  root.addEventListener(
    'pointerover',
    (event) => {
      const source = find(event.target)
      if (source === over) return
      over = source
      close()
      if (source !== null && event.pointerType !== 'touch') timer = setTimeout(() => open(source), TIP_DELAY_MS)
    },
    listen,
  )
  root.addEventListener(
    'focusin',
    (event) => {
      const source = find(event.target)
      close()
      // A closing menu returns the focus while the browser is still hiding it, and no popover can be shown before that has ended.
      if (source !== null && source === event.target && source.matches(':focus-visible')) timer = setTimeout(() => open(source))
    },
    listen,
  )
  for (const kind of ['pointerdown', 'keydown', 'wheel', 'focusout'] as const) root.addEventListener(kind, close, listen)
  root.addEventListener('scroll', close, listen)
  return () => {
    stop.abort()
    close()
  }
}
