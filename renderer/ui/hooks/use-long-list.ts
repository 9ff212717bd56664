import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type FocusEventHandler, type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Rows drawn above and below what is in sight: so many presses of Tab ahead. */
const BEYOND = 12

export interface LongListOptions {
  /** What scrolls. */
  readonly scroll: RefObject<HTMLElement | null>
  readonly keys: readonly string[]
  /** Height of a row in px, until it is measured. */
  readonly rowHeight: number
  /** Rows that are drawn wherever they are: the one Tab reaches, those that are open. */
  readonly keep: readonly string[]
}

export interface DrawnRow {
  readonly index: number
  /** Room in px for the rows left out between the row drawn before this one and it. */
  readonly gap: number
}

export interface LongList {
  readonly rows: readonly DrawnRow[]
  /** Room in px for the rows left out below the last one drawn. */
  readonly rest: number
  /** Of the element around all rows. */
  readonly list: RefObject<HTMLDivElement | null>
  /** Of each row, with its index as `data-index`. */
  readonly measure: (row: Element | null) => void
  /** Of the element around all rows: the row with the focus stays drawn. */
  readonly onFocus: FocusEventHandler
  /** Draws a row that may be out of sight; once this is rendered it can take the focus. */
  readonly hold: (key: string) => void
}

/**
 * Draws of a long list only the rows in sight and a few more, in the flow of the page, so that a list costs the same however long it is. What
 * stands between drawn rows is room of the same height. The row with the focus is always drawn.
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
  // what scrolls stands above this list, and its ref is set only after the layout effects in it: the render after this one finds it
  useEffect(() => {
    const [box, own] = [scroll.current, list.current]
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

/** As the browser tells it after its own layout: to ask for it as each row comes would lay the whole page out for each. */
function heightOf(row: Element, entry: ResizeObserverEntry | undefined, virtualizer: Virtualizer<HTMLElement, Element>): number {
  const [box] = entry?.borderBoxSize ?? []
  const index = virtualizer.indexFromElement(row)
  return box?.blockSize ?? virtualizer.measurementsCache[index]?.size ?? virtualizer.options.estimateSize(index)
}
