import type { BlobText } from '../../../../shared/api/changes/changes.ts'
import type { FileTexts } from '../step-texts.ts'

/**
 * Converts the two texts of a notebook to the sources of their cells, each below a line with the cell's number and kind. The name in the
 * result has the extension of the notebook's language. Null if a text is not a notebook, if the sources are equal, or if anything else
 * differs. In the last case, only the complete file shows the difference.
 */
export function notebookCellTexts({ path, shown, before, after }: FileTexts): FileTexts | null {
  const old = notebookOf(before)
  const fresh = notebookOf(after)
  if (!old || !fresh || old.text === fresh.text || !isOnlySources(old, fresh)) return null
  const name = `${shown.replace(/\.ipynb$/u, '')}${fresh.extension}`
  return { path, shown: name, before: { kind: 'text', text: old.text }, after: { kind: 'text', text: fresh.text } }
}

interface Notebook {
  /** The sources of the cells. */
  readonly text: string
  readonly extension: string
  readonly cells: readonly unknown[]
  /** Everything except the cells, as JSON. */
  readonly rest: string
}

/** The only fields that an edited cell may have. Its outputs must be empty. */
const PLAIN: ReadonlySet<string> = new Set(['cell_type', 'source', 'metadata', 'id', 'outputs', 'execution_count'])

/** Whether only the sources changed, so that the cells show everything that is signed. */
function isOnlySources(old: Notebook, fresh: Notebook): boolean {
  const known = new Set(old.cells.map((cell) => JSON.stringify(cell)))
  const metadata = new Set(['{}', undefined, ...old.cells.map((cell) => JSON.stringify(member(cell, 'metadata')))])
  const isPlain = (cell: unknown): boolean => {
    const outputs = member(cell, 'outputs') ?? []
    const names = typeof cell === 'object' && cell !== null ? Object.keys(cell) : ['']
    const hasNone = Array.isArray(outputs) && outputs.length === 0
    return hasNone && names.every((name) => PLAIN.has(name)) && metadata.has(JSON.stringify(member(cell, 'metadata')))
  }
  return old.rest === fresh.rest && fresh.cells.every((cell) => known.has(JSON.stringify(cell)) || isPlain(cell))
}

function notebookOf(blob: BlobText | null): Notebook | null {
  if (blob?.kind !== 'text') return null
  try {
    const notebook: unknown = JSON.parse(blob.text)
    const cells = member(notebook, 'cells')
    if (!Array.isArray(cells)) return null
    const extension = member(member(member(notebook, 'metadata'), 'language_info'), 'file_extension')
    const rest = JSON.stringify(notebook, (name, value: unknown) => (name === 'cells' ? undefined : value))
    return { text: cells.map(cellText).join('\n'), extension: typeof extension === 'string' ? extension : '.py', cells, rest }
  } catch {
    return null
  }
}

function cellText(cell: unknown, index: number): string {
  const kind = member(cell, 'cell_type')
  const source = member(cell, 'source')
  const text = Array.isArray(source) ? source.join('') : typeof source === 'string' ? source : ''
  return `# Cell ${index}, ${typeof kind === 'string' ? kind : 'unknown'}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}`
}

function member(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? (of as Readonly<Record<string, unknown>>)[name] : undefined
}
