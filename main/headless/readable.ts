import type { SessionEvent, Trouble } from '../../shared/session/events.ts'
import { verbOf } from '../../shared/tools/catalogue.ts'
import type { Progress } from './progress.ts'
import { FOREIGN, type Margin, rowsOf, streamRows } from './rows.ts'
import { visibleLine } from './visible.ts'

export interface ReadableParts {
  write(text: string): void
  /** Whether ANSI colours may be used; they are painted on our own marks alone. */
  readonly colour: boolean
  /** Cells of a row; null: not a terminal. Asked for each line, since a window changes its size. */
  width(): number | null
  /** A trouble in the words of this shell. */
  inShellWords(trouble: Trouble): Trouble
}

/** The agent's words, each row of them: nothing of ours begins like this, and nothing of the agent's in any other way. */
const SAID: Margin = { first: '> ', rest: '> ', cells: 2 }

/**
 * Plain lines for people. Ours begin with a mark (`/` proposed, `/:` asked, `//` signed, `/-` refused, `x` failed) or three blanks; the agent's
 * words stand behind `>`, what a command or a file says behind `|`. Nobody can write a line that looks like another's, however long it is.
 */
export function readable({ write, colour, width, inShellWords }: ReadableParts): Progress {
  const paint: Paint = (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  const said = streamRows(write, SAID, width)
  return {
    show({ event }) {
      if (event.kind === 'ASSISTANT_TEXT_DELTA') return said.add(event.text)
      if (event.kind === 'ASSISTANT_TEXT_END' || event.kind === 'PROCESSING_END') said.end()
      const shown = event.kind === 'ERROR' ? { ...event, error: inShellWords(event.error) } : event
      const rows = lines(shown, paint).flatMap((line) => (typeof line === 'string' ? [line] : rowsOf(line.text, line.margin, width())))
      if (rows.length === 0) return
      said.end()
      write(`${rows.join('\n')}\n`)
    },
    end: said.end,
  }
}

type Paint = (code: number, text: string) => string
/** Words of our own alone, or a text that may hold foreign ones. */
type Line = string | { readonly margin: Margin; readonly text: string }

const DIM = 2
const RED = 31
const GREEN = 32
const BLUE = 34
const AMBER = 33

/** Behind one of our marks; what is too long for the row goes on like something foreign, which it is. */
const behind = (mark: string, text: string): Line => ({ margin: { ...FOREIGN, first: mark }, text: visibleLine(text) })
const below = (text: string): Line => behind('   ', text)

function lines(event: SessionEvent, paint: Paint): readonly Line[] {
  switch (event.kind) {
    case 'TOOL_CALL_START':
      return [behind(`${paint(DIM, '/')}  `, `${verbOf(event.toolName)} ${subject(event.args)}`)]
    case 'APPROVAL_REQUESTED':
      return [behind(`${paint(AMBER, '/:')} `, event.reason)]
    case 'APPROVAL_ANSWERED':
      if (event.answer.kind === 'signed') return [`${paint(BLUE, '//')} Signed`]
      if (event.answer.kind === 'withdrawn') return []
      return [behind(`${paint(BLUE, '/-')} `, event.answer.note ? `Refused: ${event.answer.note}` : 'Refused')]
    case 'TOOL_CALL_END':
      return [
        `   ${paint(event.isError ? RED : GREEN, event.outcome)} ${paint(DIM, seconds(event.durationMs))}`.trimEnd(),
        ...beginning(event.output),
      ]
    case 'ERROR':
      return trouble(`${paint(RED, 'x')}  `, event.error)
    case 'WARNING':
      return trouble(`${paint(AMBER, '!')}  `, event.trouble)
    case 'TURN_LIMIT':
      return [`   The limit of ${event.limit} rounds is reached.`]
    case 'LOOP_DETECTION':
      return [below(event.message)]
    case 'RETRY_SCHEDULED':
      return [below(`${event.why} Asking again at ${new Date(event.atMs).toLocaleTimeString('en-GB')}.`)]
    case 'PROCESSING_END':
      return event.reason === 'stopped' ? ['   Stopped.'] : []
    default:
      return []
  }
}

function trouble(mark: string, { what, kept, todo }: Trouble): readonly Line[] {
  return [behind(mark, what), below(kept), below(todo)]
}

function subject(args: Readonly<Record<string, unknown>> | null): string {
  const value = args?.['file_path'] ?? args?.['command'] ?? args?.['pattern'] ?? ''
  return typeof value === 'string' ? (value.split('\n', 1)[0] ?? '') : ''
}

const MOST_LINES = 12

function beginning(output: string): readonly Line[] {
  const all = output.trimEnd().split('\n')
  if (all.length === 1 && all[0] === '') return []
  const shown = all.length > MOST_LINES ? all.slice(0, MOST_LINES - 1) : all
  const rest = all.length - shown.length
  return [{ margin: FOREIGN, text: shown.join('\n') }, ...(rest > 0 ? [`   … ${rest} more lines`] : [])]
}

function seconds(ms: number | null): string {
  if (ms === null) return ''
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
