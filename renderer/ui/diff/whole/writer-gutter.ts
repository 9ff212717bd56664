/** The kind of writer of a line. Each kind has its own bar in the margin. */
export type WriterKind = 'edit' | 'command' | 'subagent' | 'session' | 'undo' | 'outside' | 'earlier'

/** Consecutive lines of one writer. `from` is counted from 1. */
export interface WriterRun {
  readonly from: number
  readonly count: number
  readonly kind: WriterKind
  /** A few words for the margin: "step 3". */
  readonly label: string
  /** The writer, the tool and the time. */
  readonly details: string
  /** Whether pressing the label opens the step. */
  readonly leads: boolean
}

/** Number of lines after which the label of a long run is repeated, so that the label is always visible. */
const REPEATED = 20

/** The run of a line. Undefined if its writer is not known. Runs must be in the order of the lines. */
export function runOf(runs: readonly WriterRun[], line: number): WriterRun | undefined {
  let low = 0
  let high = runs.length
  while (low < high) {
    const middle = (low + high) >> 1
    const run = runs[middle]
    if (run && run.from + run.count <= line) low = middle + 1
    else high = middle
  }
  const found = runs[low]
  return found && found.from <= line ? found : undefined
}

/** Shows the writer of each line beside the drawn line numbers. Only lines near the visible part are drawn, so this is cheap. */
export function decorateWriters(host: HTMLElement, runs: readonly WriterRun[]): void {
  for (const number of host.shadowRoot?.querySelectorAll<HTMLElement>('[data-gutter] [data-column-number]') ?? []) {
    const line = Number(number.dataset['columnNumber'])
    const run = runOf(runs, line)
    const key = run ? `${line} ${run.from} ${run.label} ${run.details}` : ''
    if (number.dataset['writer'] === key) continue
    number.dataset['writer'] = key
    number.dataset['by'] = run?.kind ?? ''
    number.querySelector('[data-by-words]')?.remove()
    number.prepend(wordsAt(line, run))
  }
}

function wordsAt(line: number, run: WriterRun | undefined): HTMLElement {
  const isHead = run !== undefined && (line - run.from) % REPEATED === 0
  const words = document.createElement(isHead && run.leads ? 'button' : 'span')
  words.dataset['byWords'] = ''
  if (!isHead) return words
  words.textContent = run.label
  words.title = run.details
  if (!(words instanceof HTMLButtonElement)) return words
  words.type = 'button'
  words.dataset['at'] = String(line)
  const last = run.from + run.count - 1
  words.ariaLabel = `${run.from === last ? `Line ${last}` : `Lines ${run.from} to ${last}`}, written by ${run.label}: show the step`
  return words
}

/** Style of the margin, inside the component's shadow tree. The page defines the bars, because its legend uses them too. */
export const WRITERS_CSS = `
[data-gutter] [data-column-number] {
  padding: 0 10px 0 12px;
  background: no-repeat right / 3px 100%;
}
[data-by='edit'] { background-image: var(--by-edit) !important; }
[data-by='command'] { background-image: var(--by-command) !important; }
[data-by='subagent'] { background-image: var(--by-subagent) !important; }
[data-by='session'] { background-image: var(--by-session) !important; }
[data-by='undo'] { background-image: var(--by-undo) !important; }
[data-by='outside'] { background-image: var(--by-outside) !important; }
[data-by-words] {
  box-sizing: border-box;
  width: var(--w-writer);
  padding: 0;
  border: 0;
  overflow: hidden;
  background: none;
  font: var(--t-meta);
  line-height: var(--l-base);
  color: var(--text-2);
  text-align: start;
  text-overflow: ellipsis;
  white-space: nowrap;
}
[data-by='earlier'] [data-by-words] { color: var(--text-3); }
button[data-by-words] { cursor: pointer; }
button[data-by-words]:hover { color: var(--text-1); text-decoration: underline; }
button[data-by-words]:focus-visible { outline: 2px solid var(--ink); outline-offset: -2px; }
[data-line][data-selected-line] { background: var(--selected) !important; }
[data-line] { padding-inline: 12px 20px !important; }
`
