import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import styles from './middle-path.module.css'
import { pathEnd } from './path-end.ts'

export interface MiddlePathProps {
  readonly path: string
  /** Font and colour: `path` for code in its own colour, or a class of the place it stands in. */
  readonly className?: string | undefined
  /** A row that shows the whole path as its own tip says so; else the path has one while it is shortened. */
  readonly tip?: boolean | undefined
}

/**
 * A path or file name on one line that loses its middle where there is little room, never its end. The text itself stays
 * whole: it can be selected, copied, searched for and heard in full; only its drawing is shortened.
 */
export function MiddlePath({ path, className, tip = true }: MiddlePathProps): ReactNode {
  const own = useRef<HTMLSpanElement>(null)
  const text = useRef<HTMLSpanElement>(null)
  const [end, setEnd] = useState<string | null>(null)
  useLayoutEffect(() => {
    const [outer, inner] = [own.current, text.current]
    if (outer === null || inner === null) return
    const check = (): void => {
      const [whole, room] = [inner.scrollWidth, outer.clientWidth]
      setEnd(whole > room ? pathEnd(path, (room / whole) * [...path].length) : null)
    }
    check()
    return watch(outer, check)
  }, [path])
  return (
    <span
      ref={own}
      className={classNames(styles.path, className)}
      data-end={end ?? undefined}
      data-tip={tip && end !== null ? path : undefined}
    >
      <span ref={text} className={styles.whole}>
        {path}
      </span>
    </span>
  )
}

const checks = new WeakMap<Element, () => void>()
/** One for all paths: a ledger has thousands of them. */
let observer: ResizeObserver | undefined

function watch(element: Element, check: () => void): () => void {
  observer ??= new ResizeObserver((entries) => {
    for (const { target } of entries) checks.get(target)?.()
  })
  const shared = observer
  checks.set(element, check)
  shared.observe(element)
  return () => {
    checks.delete(element)
    shared.unobserve(element)
  }
}
