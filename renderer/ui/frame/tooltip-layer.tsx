import { type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { clipped } from '../format.ts'
import { keyWords, PlatformContext } from '../marks/key-words.ts'
import styles from './tooltip-layer.module.css'
import { withCodes } from '../text/hidden-characters.ts'

/** Characters of a tooltip: about six lines. A whole prompt or a list of 3,000 files would cover the window. */
const LONGEST = 240

/**
 * Shows the `data-tip` (and `data-tip-keys`) of whatever the pointer rests on or the keyboard reaches: one layer for the whole desk, so
 * that ten thousand marks cost nothing. It only repeats what screen readers get otherwise, hence it is hidden from them.
 */
export function TooltipLayer(): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const [tip, setTip] = useState<Tip | null>(null)
  const platform = useContext(PlatformContext)

  useEffect(() => watchTips(document, setTip), [])
  useEffect(() => {
    const element = box.current
    if (element === null || tip === null) return
    element.showPopover({ source: tip.source })
    return () => element.hidePopover()
  }, [tip])

  return (
    <div ref={box} className={styles.tip} popover="manual" aria-hidden="true">
      {tip && clipped(withCodes(tip.words), LONGEST)}
      {tip?.keys !== undefined && <kbd className={styles.keys}>{keyWords(tip.keys, platform).join(' ')}</kbd>}
    </div>
  )
}

interface Tip {
  readonly source: HTMLElement
  readonly words: string
  readonly keys: string | undefined
}

/** Rest before a tooltip shows: shorter than this it flickers under a pointer that only passes. */
const TIP_DELAY_MS = 500

/** Reports the tip to show, or null: after a rest of the pointer, at once when the keyboard reaches it; gone with a press, a key, a scroll. */
function watchTips(root: Document, show: (tip: Tip | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let over: HTMLElement | null = null

  const find = (target: EventTarget | null): HTMLElement | null =>
    target instanceof Element ? target.closest<HTMLElement>('[data-tip]:not([data-tip=""])') : null
  const open = (source: HTMLElement): void => {
    if (source.isConnected) show({ source, words: source.dataset['tip'] ?? '', keys: source.dataset['tipKeys'] })
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
      if (source !== null && source === event.target && source.matches(':focus-visible')) open(source)
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
