import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import styles from './middle-path.module.css'
import { ForeignText } from './exact-text.tsx'
import { withCodes } from '../../../shared/lib/hidden-characters.ts'
import { flushSync } from 'react-dom'

export interface MiddlePathProps {
  readonly path: string
  /** Class for font and color: `path`, or a class of the surrounding component. */
  readonly className?: string | undefined
  /** False if the row already shows the complete path as its tooltip. */
  readonly tip?: boolean | undefined
}

/**
 * A path on one line, shortened in the middle when there is little room. The text itself is complete for selection, copying, search and
 * screen readers. Only its display is shortened.
 */
export function MiddlePath({ path, className, tip = true }: MiddlePathProps): ReactNode {
  const plain = withCodes(path)
  const own = useRef<HTMLSpanElement>(null)
  const text = useRef<HTMLSpanElement>(null)
  const [cut, setCut] = useState<Cut | null>(null)
  useLayoutEffect(() => {
    const outer = own.current
    const inner = text.current
    if (outer === null || inner === null) return
    const check = (): void => {
      const next = cutOf(plain, outer.getBoundingClientRect().width, widthOf(inner))
      setCut((before) => (before?.end === next?.end && before?.gap === next?.gap ? before : next))
    }
    // The observer also reports the first size before the first paint. Measuring here would force a layout for each row.
    return watchRoom(outer, check)
  }, [plain])
  return (
    <span
      ref={own}
      className={classNames(styles.path, className)}
      style={cut ? ({ '--gap': `${cut.gap}px` } as CSSProperties) : undefined}
      data-end={cut?.end}
      data-tip={tip && cut ? path : undefined}
    >
      <span ref={text} className={styles.whole}>
        <ForeignText text={path} />
      </span>
    </span>
  )
}

interface Cut {
  /** The part of the path after the ellipsis. */
  readonly end: string
  /** Leftover pixels, less than a character, added after the end. */
  readonly gap: number
}

function cutOf(path: string, room: number, whole: number): Cut | null {
  if (whole <= room + 0.5) return null
  const letter = whole / [...path].length
  const end = pathEnd(path, room / letter)
  const gap = (room - [...end].length * letter) % letter
  // A small reserve is kept, so that rounding does not cut a character.
  return { end, gap: Math.max(0, Math.round((gap - 0.4) * 10) / 10) }
}

/** The width of the complete text. */
function widthOf(element: Element): number {
  const range = document.createRange()
  range.selectNodeContents(element)
  return range.getBoundingClientRect().width
}

/** Maximum number of characters kept at the end: enough for a long extension (`.module.css`, `.spec.tsx`) and a word before it. */
const LONGEST_END = 20
/** Maximum share of the available width that the end of the path may use, so that the beginning of the path is visible too. */
const SHARE = 0.65

/**
 * The end of a path that is still shown when the path is shortened to `room` characters: the file name, or the end of a long file name.
 */
export function pathEnd(path: string, room: number): string {
  const name = [...path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), 0))]
  const kept = Math.max(1, Math.min(LONGEST_END, Math.floor(room * SHARE)))
  return name.slice(-kept).join('')
}

const checks = new Map<Element, () => void>()
/** One observer for all paths, because a ledger has thousands of them. */
let observer: ResizeObserver | undefined

function begin(): ResizeObserver {
  const shared = new ResizeObserver((entries) => {
    // The render is synchronous, so that no unshortened path is painted.
    flushSync(() => {
      for (const { target } of entries) checks.get(target)?.()
    })
  })
  // A loaded font changes the width of the text but perhaps not of the box, so each element is observed again, which triggers a callback.
  document.fonts.addEventListener('loadingdone', () => {
    for (const element of checks.keys()) {
      shared.unobserve(element)
      shared.observe(element)
    }
  })
  return shared
}

/**
 * Calls back when the size of an element is known or changes, and when fonts are loaded, but not for elements outside the view. Returns a
 * function that stops the calls.
 */
function watchRoom(element: Element, check: () => void): () => void {
  observer ??= begin()
  const shared = observer
  checks.set(element, check)
  shared.observe(element)
  return () => {
    checks.delete(element)
    shared.unobserve(element)
  }
}
