import { z } from 'zod'

const Lines = z.lazy(() =>
  z.union([z.string(), z.array(z.string())]).transform((lines) => (typeof lines === 'string' ? lines : lines.join(''))),
)

const Output = z.lazy(() =>
  z.union([
    z.object({ output_type: z.literal('stream'), name: z.string().optional(), text: Lines }),
    z.object({ output_type: z.literal('error'), ename: z.string(), evalue: z.string(), traceback: z.array(z.string()).optional() }),
    z.object({ output_type: z.enum(['display_data', 'execute_result']), data: z.record(z.string(), z.unknown()) }),
  ]),
)

const Cell = z.lazy(() =>
  z.object({
    cell_type: z.string(),
    id: z.string().optional(),
    source: Lines,
    execution_count: z.number().nullish(),
    outputs: z.array(z.unknown()).optional(),
  }),
)
export type NotebookCell = z.infer<typeof Cell>

const Notebook = z.lazy(() => z.object({ cells: z.array(Cell) }))

/** The parts of a Jupyter notebook's cells that are shown; null if the text is not a notebook of format 4. */
export function notebookCells(text: string): readonly NotebookCell[] | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  const notebook = Notebook.safeParse(value)
  return notebook.success ? notebook.data.cells : null
}

/** Maximum number of characters of one output that are shown. Without a limit, the data of a plot would hide the rest. */
const OUTPUT_CHARS = 4000

/** One cell as text: a heading with its number, its source, and its outputs. */
export function cellText(cell: NotebookCell, index: number): string {
  const count = typeof cell.execution_count === 'number' ? `, run as [${cell.execution_count}]` : ''
  const outputs = (cell.outputs ?? []).map(outputText).filter((text) => text !== '')
  return [`[Cell ${index}: ${cell.cell_type}${count}]`, cell.source, ...outputs.map((text) => `[Output]\n${text}`)].join('\n')
}

export function notebookText(cells: readonly NotebookCell[]): string {
  return cells.map((cell, index) => `${cellText(cell, index)}\n`).join('\n')
}

function outputText(value: unknown): string {
  const output = Output.safeParse(value)
  if (!output.success) return ''
  switch (output.data.output_type) {
    case 'stream':
      return shortened(output.data.text)
    case 'error':
      return shortened(`${output.data.ename}: ${output.data.evalue}`)
    default: {
      const text = Lines.safeParse(output.data.data['text/plain'])
      const others = Object.keys(output.data.data).filter((type) => type !== 'text/plain')
      return [...(text.success ? [shortened(text.data)] : []), ...others.map((type) => `(${type})`)].join('\n')
    }
  }
}

function shortened(text: string): string {
  const plain = text.replace(/\u001b\[[0-9;]*[A-Za-z]/gu, '').replace(/\n$/u, '')
  return plain.length <= OUTPUT_CHARS
    ? plain
    : `${plain.slice(0, OUTPUT_CHARS).toWellFormed()}\n(${plain.length - OUTPUT_CHARS} characters more)`
}
