import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import styles from './middle-path.module.css'
import { ForeignText } from './exact-text.tsx'
import { withCodes } from './hidden-characters.ts'
import { flushSync } from 'react-dom'

export interface MiddlePathProps {
  readonly path: string
  /** Font and colour: `path` for code in its own colour, or a class of the place it stands in. */
  readonly className?: string | undefined
  /** False in a row that shows the whole path as its own tip; else the path has one while it is shortened. */
  readonly tip?: boolean | undefined
}

/**
 * A path or file name on one line that loses its middle where there is little room, never its end. The text itself stays
 * whole: it can be selected, copied, searched for and heard in full; only its drawing is shortened.
 */
export function MiddlePath({ path, className, tip = true }: MiddlePathProps): ReactNode {
  const plain = withCodes(path)
  const own = useRef<HTMLSpanElement>(null)
  const text = useRef<HTMLSpanElement>(null)
  const [cut, setCut] = useState<Cut | null>(null)
  useLayoutEffect(() => {
    const [outer, inner] = [own.current, text.current]
    if (outer === null || inner === null) return
    const check = (): void => {
      const next = cutOf(plain, outer.getBoundingClientRect().width, widthOf(inner))
      setCut((before) => (before?.end === next?.end && before?.gap === next?.gap ? before : next))
    }
    // told before the first frame that shows it: to measure each row as it comes would lay all rows out anew for each
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
  /** What is drawn after the ellipsis. */
  readonly end: string
  /** Pixels that would stay between the ellipsis and the end, less than a character: they go behind the end. */
  readonly gap: number
}

function cutOf(path: string, room: number, whole: number): Cut | null {
  if (whole <= room + 0.5) return null
  const letter = whole / [...path].length
  const end = pathEnd(path, room / letter)
  const gap = (room - [...end].length * letter) % letter
  // a little less, so that rounding takes no letter from the beginning
  return { end, gap: Math.max(0, Math.round((gap - 0.4) * 10) / 10) }
}

/** Of the text as it would be with all the room it wants. */
function widthOf(element: Element): number {
  const range = document.createRange()
  range.selectNodeContents(element)
  return range.getBoundingClientRect().width
}

/** Characters of a name that are kept at most: the longest usual endings (`.module.css`, `.spec.tsx`) and a word before them. */
const LONGEST_END = 20
/** Of the room for a path, what its end takes at most, so that its beginning is still there. */
const SHARE = 0.65

/**
 * The end of a path that stays when its middle leaves, given room for so many characters: its name after the last slash, or the end of
 * that where it is long.
 */
export function pathEnd(path: string, room: number): string {
  const name = [...path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), 0))]
  const kept = Math.max(1, Math.min(LONGEST_END, Math.floor(room * SHARE)))
  return name.slice(-kept).join('')
}

const checks = new Map<Element, () => void>()
/** One for all: a ledger has thousands of paths. */
let observer: ResizeObserver | undefined

function begin(): ResizeObserver {
  const shared = new ResizeObserver((entries) => {
    // before this frame is drawn, so that nothing is seen that is then drawn otherwise
    flushSync(() => {
      for (const { target } of entries) checks.get(target)?.()
    })
  })
  // with its own font a text has another width, and its box need not show it; what is observed anew is told of once it is in sight
  document.fonts.addEventListener('loadingdone', () => {
    for (const element of checks.keys()) {
      shared.unobserve(element)
      shared.observe(element)
    }
  })
  return shared
}

/** Calls back when an element first has a size, whenever that changes, and when fonts have arrived; never while it is out of sight. Returns what ends it. */
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
