import type { SessionEvent, Trouble } from '../../shared/session/events.ts'
import { createChildLines } from './child-lines.ts'
import { type Line, linesOf, type Paint } from './event-lines.ts'
import type { Progress } from './progress.ts'
import { rowsOf, SAID, streamRows } from './rows.ts'

export interface ReadableParts {
  write(text: string): void
  /** Whether ANSI colours may be used; they are painted on our own marks alone. */
  readonly colour: boolean
  /** Cells of a row; null: not a terminal. Asked for each line, since a window changes its size. */
  width(): number | null
  /** A trouble in the words of this shell. */
  inShellWords(trouble: Trouble): Trouble
}

/**
 * Plain lines for people. Ours begin with a mark (`/` proposed, `/:` asked, `//` signed, `/-` refused, `x` failed, `@` a subagent) or three
 * blanks; the agent's words stand behind `>`, what a command or a file says behind `|`. All of a subagent stands three blanks further in.
 * Nobody can write a line that looks like another's, however long it is.
 */
export function readable({ write, colour, width, inShellWords }: ReadableParts): Progress {
  const paint: Paint = (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  const said = streamRows(write, SAID, width)
  const children = createChildLines()
  const shown = (event: SessionEvent): readonly Line[] =>
    linesOf(event.kind === 'ERROR' ? { ...event, error: inShellWords(event.error) } : event, paint)
  return {
    show({ event }) {
      if (event.kind === 'ASSISTANT_TEXT_DELTA') return said.add(event.text)
      if (event.kind === 'ASSISTANT_TEXT_END' || event.kind === 'PROCESSING_END') said.end()
      const lines = event.kind === 'SUBAGENT_EVENT' ? children.linesOf(event, shown(event.event)) : shown(event)
      if (lines.length === 0) return
      if (event.kind !== 'SUBAGENT_EVENT') children.interrupted()
      said.end()
      const rows = lines.flatMap((line) => (typeof line === 'string' ? [line] : rowsOf(line.text, line.margin, width())))
      write(`${rows.join('\n')}\n`)
    },
    end: said.end,
  }
}
