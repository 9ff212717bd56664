/** A match of a search in a text. `line` is counted from 1. `from` and `to` are UTF-16 positions in the line. */
export interface FoundPlace {
  readonly line: number
  readonly from: number
  readonly to: number
}

/** All matches of a search. `current` is the index of the current one. */
export interface FoundPlaces {
  readonly places: readonly FoundPlace[]
  readonly current: number
}

/** Maximum number of matches that are found. */
export const MOST_PLACES = 5_000

const NAMES = { all: 'found', current: 'found-current' } as const

/** Finds words in a text, ignoring case, at most `MOST_PLACES` times. */
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

/** Highlights the matches in the rendered lines, which are only those near the visible part. Null removes all highlights. */
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

/** Styles of the highlights, inside the component's shadow tree. */
export const FOUND_CSS = `
::highlight(found) { background: var(--ink-soft); }
::highlight(found-current) { background: var(--ink-soft); color: var(--text-1); text-decoration: underline 2px var(--ink); }
`
