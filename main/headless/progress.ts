import type { AnyEnvelope, SessionEvent } from '../../shared/session/events.ts'
import { verbOf } from '../../shared/tools/catalogue.ts'
import { visible, visibleLine } from './visible.ts'

/** Writes a session's events for whoever started us: JSON lines for programs, plain lines for people. */
export type Progress = (envelope: AnyEnvelope) => void

/** One JSON object a line: `{seq, sessionId, after, at, event}`; live events carry `seq: null`. */
export function jsonLines(write: (text: string) => void): Progress {
  return (envelope) => write(`${JSON.stringify(envelope)}\n`)
}

/** Plain lines; `colour` adds ANSI, painted only after foreign text was cleaned. What a command prints is indented, so that nobody takes it for the agent's words. */
export function readable(write: (text: string) => void, colour: boolean): Progress {
  const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  let inText = false
  const line = (text: string): void => {
    if (inText) write('\n')
    inText = false
    write(`${text}\n`)
  }
  return ({ event }) => {
    if (event.kind === 'ASSISTANT_TEXT_DELTA') {
      write(visible(event.text))
      inText = true
      return
    }
    const text = lineOf(event, paint)
    if (text !== null) line(text)
  }
}

type Paint = (code: number, text: string) => string
const DIM = 2
const RED = 31
const GREEN = 32
const BLUE = 34
const AMBER = 33

function lineOf(event: SessionEvent, paint: Paint): string | null {
  switch (event.kind) {
    case 'TOOL_CALL_START':
      return `${paint(DIM, '/')}  ${visibleLine(verbOf(event.toolName))} ${visibleLine(subject(event.args))}`
    case 'APPROVAL_REQUESTED':
      return `${paint(AMBER, '/:')} ${visibleLine(event.reason)}`
    case 'APPROVAL_ANSWERED':
      if (event.answer.kind === 'signed') return `${paint(BLUE, '//')} Signed`
      return event.answer.kind === 'refused'
        ? `${paint(BLUE, '/-')} Refused${event.answer.note ? `: ${visibleLine(event.answer.note)}` : ''}`
        : null
    case 'TOOL_CALL_END':
      return `   ${event.isError ? paint(RED, event.outcome) : paint(GREEN, event.outcome)} ${paint(DIM, seconds(event.durationMs))}${indented(event.output)}`
    case 'ERROR':
      return `${paint(RED, 'x')}  ${visibleLine(event.error.what)}\n   ${visibleLine(event.error.kept)}\n   ${visibleLine(event.error.todo)}`
    case 'TURN_LIMIT':
      return `   The limit of ${event.limit} rounds is reached.`
    case 'RETRY_SCHEDULED':
      return `   ${visibleLine(event.why)} Asking again at ${new Date(event.atMs).toLocaleTimeString('en-GB')}.`
    default:
      return null
  }
}

function subject(args: Readonly<Record<string, unknown>> | null): string {
  const value = args?.['file_path'] ?? args?.['command'] ?? args?.['pattern'] ?? ''
  return typeof value === 'string' ? (value.split('\n', 1)[0] ?? '') : ''
}

const MOST_LINES = 12

function indented(output: string): string {
  const lines = output.trimEnd().split('\n')
  if (lines.length === 1 && lines[0] === '') return ''
  const shown = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), `… ${lines.length - MOST_LINES + 1} more lines`] : lines
  return `\n${shown.map((text) => `   | ${visible(text)}`).join('\n')}`
}

function seconds(ms: number | null): string {
  if (ms === null) return ''
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
