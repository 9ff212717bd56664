import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type FocusEventHandler, type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Number of rows rendered above and below the visible ones, so that Tab can reach them. */
const BEYOND = 12

export interface LongListOptions {
  /** The element that scrolls. */
  readonly scroll: RefObject<HTMLElement | null>
  readonly keys: readonly string[]
  /** Estimated height of a row in px, until it is measured. */
  readonly rowHeight: number
  /** Keys of rows that must always be rendered: the row that Tab reaches, and open rows. */
  readonly keep: readonly string[]
}

export interface DrawnRow {
  readonly index: number
  /** Height in px of the rows that are left out before this one. */
  readonly gap: number
}

export interface LongList {
  readonly rows: readonly DrawnRow[]
  /** Height in px of the rows that are left out after the last rendered row. */
  readonly rest: number
  /** Ref of the element around all rows. */
  readonly list: RefObject<HTMLDivElement | null>
  /** Ref of each row, which needs its index as `data-index`. */
  readonly measure: (row: Element | null) => void
  /** Handler of the element around all rows: keeps the focused row rendered. */
  readonly onFocus: FocusEventHandler
  /** Renders a row that may be outside the view, so that it can get the focus. */
  readonly hold: (key: string) => void
}

/**
 * Renders only the visible rows of a long list and a few more, in normal flow. Margins of the same height replace the other rows. The
 * focused row is always rendered.
 */
export function useLongList({ scroll, keys, rowHeight, keep }: LongListOptions): LongList {
  const list = useRef<HTMLDivElement>(null)
  const [measured, setMeasured] = useState<number | null>(null)
  const above = measured ?? 0
  const [held, setHeld] = useState<string | null>(null)
  const kept = [...keep, ...(held === null ? [] : [held])].map((key) => keys.indexOf(key)).filter((at) => at >= 0)
  // oxlint-disable-next-line react/incompatible-library -- no React Compiler runs over our code
  const virtualizer = useVirtualizer({
    count: keys.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keys[index] ?? index,
    overscan: BEYOND,
    scrollMargin: above,
    measureElement: heightOf,
    initialRect: { width: 0, height: 600 },
    rangeExtractor: (range: Range) => [...new Set([...kept, ...defaultRangeExtractor(range)])].sort((a, b) => a - b),
  })
  // The scroll container is an ancestor, so its ref is set only after the layout effects of this list.
  useEffect(() => {
    const box = scroll.current
    const own = list.current
    if (box && own) setMeasured(Math.round(own.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop))
  }, [scroll])
  const items = virtualizer.getVirtualItems()
  const rows = items.map(({ index, start }, at) => ({ index, gap: start - (items[at - 1]?.end ?? above) }))
  const rest = virtualizer.getTotalSize() + above - (items.at(-1)?.end ?? above)
  const onFocus = useCallback<FocusEventHandler>(
    ({ target }) => {
      const index = Number(target.closest('[data-index]')?.getAttribute('data-index') ?? Number.NaN)
      setHeld(keys[index] ?? null)
    },
    [keys],
  )
  return { rows, rest: Math.max(0, rest), list, measure: virtualizer.measureElement, onFocus, hold: setHeld }
}

/** Returns the height of a row from the entry of the ResizeObserver, because measuring each new row would force one layout per row. */
function heightOf(row: Element, entry: ResizeObserverEntry | undefined, virtualizer: Virtualizer<HTMLElement, Element>): number {
  const [box] = entry?.borderBoxSize ?? []
  const index = virtualizer.indexFromElement(row)
  return box?.blockSize ?? virtualizer.measurementsCache[index]?.size ?? virtualizer.options.estimateSize(index)
}
