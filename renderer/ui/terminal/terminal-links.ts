import type { ILink, ILinkProvider, Terminal } from '@xterm/xterm'
import { type NamedPlace, partsOf } from '../text/file-names.ts'

export interface LinkEvents {
  /** Called when a URL is clicked while Ctrl or Cmd is held. */
  onLink(url: string): void
  /** Called when the name of a file is clicked. */
  onFile(place: NamedPlace): void
  /** Returns those of the paths that are files. */
  existing(paths: readonly string[]): Promise<ReadonlySet<string>>
}

const ADDRESS = /\bhttps?:\/\/[^\s"'<>()[\]{}]+[^\s"'<>()[\]{}.,;:!?]/gu

/** Finds URLs and the names of existing files in a line of the terminal. A wrapped line is read as one. */
export function terminalLinks(terminal: Terminal, events: LinkEvents): ILinkProvider {
  return {
    provideLinks(y, give) {
      const { text, first } = wrappedLine(terminal, y)
      if (text.trim() === '') return give(undefined)
      const addresses = [...text.matchAll(ADDRESS)].map(({ index, 0: url }) => ({ from: index, text: url, open: openAddress(url, events) }))
      void placesIn(text, events).then(
        (places) => {
          const links = [...addresses, ...places].map((link) => asLink(link, first, terminal.cols))
          give(links.filter(({ range }) => range.start.y <= y && range.end.y >= y))
        },
        () => give(undefined),
      )
    },
  }
}

interface Found {
  readonly from: number
  readonly text: string
  readonly open: (event: MouseEvent) => void
}

const openAddress =
  (url: string, { onLink }: LinkEvents) =>
  (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey) onLink(url)
  }

async function placesIn(text: string, { existing, onFile }: LinkEvents): Promise<readonly Found[]> {
  const named: (Found & { readonly path: string })[] = []
  let from = 0
  for (const { text: word, place } of partsOf(text)) {
    if (place !== null) named.push({ from, text: word, path: place.path, open: () => onFile(place) })
    from += word.length
  }
  if (named.length === 0) return []
  const files = await existing([...new Set(named.map(({ path }) => path))].slice(0, 100))
  return named.filter(({ path }) => files.has(path))
}

/** The complete line that contains row `y` (from 1), and the number of its first row. */
function wrappedLine({ buffer: { active } }: Terminal, y: number): { readonly text: string; readonly first: number } {
  let first = y
  while (first > 1 && active.getLine(first - 1)?.isWrapped === true) first--
  let text = ''
  for (let row = first; row === first || active.getLine(row - 1)?.isWrapped === true; row++)
    text += active.getLine(row - 1)?.translateToString(false) ?? ''
  return { text: text.trimEnd(), first }
}

/** Takes every character for one cell wide, so a link after wide characters starts a little too far left. */
function asLink({ from, text, open }: Found, first: number, columns: number): ILink {
  const cell = (at: number): { readonly x: number; readonly y: number } => ({ x: (at % columns) + 1, y: first + Math.floor(at / columns) })
  return { range: { start: cell(from), end: cell(from + text.length - 1) }, text, activate: open }
}
