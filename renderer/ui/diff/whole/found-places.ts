/** A place of the sought words in a text. `line` is counted from 1, `from` and `to` are UTF-16 positions in the line. */
export interface FoundPlace {
  readonly line: number
  readonly from: number
  readonly to: number
}

/** The places of the sought words, and which of them is the current one. */
export interface FoundPlaces {
  readonly places: readonly FoundPlace[]
  readonly current: number
}

/** More places than this are not counted. */
export const MOST_PLACES = 5_000

const NAMES = { all: 'found', current: 'found-current' } as const

/** Finds words in a text, whatever their case, at most `MOST_PLACES` times. */
export function findPlaces(text: string, words: string): readonly FoundPlace[] {
  if (words === '') return []
  const places: FoundPlace[] = []
  const sought = new RegExp(RegExp.escape(words), 'giu')
  let line = 1
  for (const own of text.split('\n')) {
    for (const { index, 0: found } of own.matchAll(sought)) {
      places.push({ line, from: index, to: index + found.length })
      if (places.length === MOST_PLACES) return places
    }
    line++
  }
  return places
}

/** Marks the places in the drawn lines. Only lines near the visible part are drawn, so this is cheap. Null removes all marks. */
export function markPlaces(host: HTMLElement, found: FoundPlaces | null): void {
  CSS.highlights.delete(NAMES.all)
  CSS.highlights.delete(NAMES.current)
  if (!found || found.places.length === 0) return
  const byLine = Map.groupBy(found.places, ({ line }) => line)
  const all = new Highlight()
  for (const row of host.shadowRoot?.querySelectorAll<HTMLElement>('[data-content] [data-line]') ?? []) {
    for (const place of byLine.get(Number(row.dataset['line'])) ?? []) {
      const range = rangeOf(row, place)
      if (!range) continue
      if (place === found.places[found.current]) CSS.highlights.set(NAMES.current, new Highlight(range))
      else all.add(range)
    }
  }
  CSS.highlights.set(NAMES.all, all)
}

function rangeOf(row: HTMLElement, { from, to }: FoundPlace): Range | null {
  const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
  const range = new Range()
  let at = 0
  let hasStart = false
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const length = text.nodeValue?.length ?? 0
    if (!hasStart && from < at + length) {
      range.setStart(text, from - at)
      hasStart = true
    }
    if (hasStart && to <= at + length) {
      range.setEnd(text, to - at)
      return range
    }
    at += length
  }
  return null
}

/** Style of the marks, inside the component's shadow tree. */
export const FOUND_CSS = `
::highlight(found) { background: var(--ink-soft); }
::highlight(found-current) { background: var(--ink-soft); color: var(--text-1); text-decoration: underline 2px var(--ink); }
`
