import { parseArgs } from 'node:util'
import { resolve } from 'node:path'
import { EXPORT_FORMATS, type ExportFormat, type ImportPreview, SOURCE_NAMES } from '../../shared/api/transfer.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { App } from '../compose/app.ts'
import { BLAME_HELP, type BlameCommand, blameCommand, runBlameCommand } from './blame-command.ts'
import { runSearchCommand, SEARCH_HELP, type SearchCommand, searchCommand } from './search-command.ts'
import { complain, noSession, sentences, type Write } from './report/standard-output.ts'
import { visibleLine } from './report/visible-text.ts'

/** A command about stored sessions, which runs no agent and needs no key. */
export type HistoryCommand = { readonly data: string | null } & (
  | { readonly kind: 'export'; readonly sessionId: string; readonly format: ExportFormat }
  | { readonly kind: 'import'; readonly path: string; readonly preview: boolean; readonly json: boolean | null }
  | BlameCommand
  | SearchCommand
)

/** Part of `--help`. */
export const HISTORY_HELP = `Stored sessions
  export ID            prints a session with its subagents; known keys are hidden. --format markdown (default), html (one
                       file without scripts) or json (JSON lines that import reads). ID "last": the newest session
  import FILE          adds a session from our JSON, or from a transcript of Claude Code or Codex. --preview only says
                       what it would add. JSON unless in a terminal; --json, --no-json
${SEARCH_HELP}
${BLAME_HELP}`

/** Null if the arguments are a task. A failure is a sentence for standard error. */
export function historyCommandIn(argv: readonly string[], here: string): Result<HistoryCommand, string> | null {
  const parsed = parsedWords(argv)
  const [name, subject, ...rest] = parsed?.positionals ?? []
  if (!parsed || subject === undefined || rest.length > 0) return null
  const { format: wanted = 'markdown', preview = false, json = false, data = null, cwd = '', changed = '' } = parsed.values
  if (name === 'blame') {
    const command = blameCommand(resolve(here, cwd, subject), json)
    return command.ok ? ok({ ...command.value, data }) : command
  }
  if (name === 'search') {
    const command = searchCommand(subject, parsed.values.in, changed, json)
    return command.ok ? ok({ ...command.value, data }) : command
  }
  if (name === 'import') return ok({ kind: name, path: resolve(here, subject), preview, json: parsed.values.json ?? null, data })
  if (name !== 'export') return null
  const format = EXPORT_FORMATS.find((one) => one === wanted)
  return format
    ? ok({ kind: name, sessionId: subject, format, data })
    : failed(`--format takes ${EXPORT_FORMATS.join(', ')}, not "${wanted}".`)
}

/** Null if other options are given, which may belong to a task. */
function parsedWords(argv: readonly string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    const options = { format: text, data: text, cwd: text, preview: flag, json: flag, in: text, changed: text } as const
    return parseArgs({ args: [...argv], allowPositionals: true, allowNegative: true, options })
  } catch {
    return null
  }
}

/** Returns the exit code. The modules it needs are loaded here, because most runs do not need them. */
export async function runHistoryCommand(command: HistoryCommand, app: App, write: Write): Promise<number> {
  const { store, redactor, blamer } = app
  switch (command.kind) {
    case 'export': {
      const { exportSession } = await import('../transfer/export/export-session.ts')
      const sessionId = chosen(store.sessions.list(), command.sessionId)
      if (sessionId === null) return wrong(sentences(noSession(`There is no session ${visibleLine(command.sessionId)}.`)))
      for await (const text of exportSession({ store, redactor, now: Date.now() }, sessionId, command.format)) write(text)
      return 0
    }
    case 'blame':
      return runBlameCommand(command, blamer, write)
    case 'search':
      return runSearchCommand(command, app, write)
    case 'import': {
      const { previewOf, readTranscript } = await import('../transfer/import/read-transcript.ts')
      const { importSession } = await import('../transfer/import/import-session.ts')
      const read = await readTranscript(command.path)
      if (!read.ok) return wrong(sentences(read.failure))
      const preview = await previewOf(read.value)
      const sessionId = command.preview ? null : await importSession(read.value, { store, redactor })
      const asJson = command.json ?? !process.stdout.isTTY
      write(asJson ? `${JSON.stringify({ sessionId, ...preview })}\n` : importWords(sessionId, preview))
      return 0
    }
  }
}

function importWords(sessionId: SessionId | null, { source, title, messages, answers, calls, subagents, unknown, leftOut }: ImportPreview) {
  const counts = [
    counted(messages, 'message'),
    counted(answers, 'answer'),
    counted(calls, 'step'),
    ...(subagents > 0 ? [counted(subagents, 'subagent')] : []),
    ...(unknown > 0 ? [`${counted(unknown, 'line')} not understood, but kept`] : []),
  ]
  const done = sessionId === null ? 'Would import' : `Imported as ${sessionId}:`
  return [
    `${done} “${visibleLine(title)}” of ${SOURCE_NAMES[source]}: ${counts.join(', ')}.`,
    ...leftOut.map(({ why, lines }) => `Left out: ${counted(lines, 'line')}. ${visibleLine(why)}`),
    '',
  ].join('\n')
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

function chosen(sessions: ReturnType<App['store']['sessions']['list']>, id: string): SessionId | null {
  const found = sessions.find(({ sessionId, parent }) => (id === 'last' ? parent === null : sessionId === id))
  return found?.sessionId ?? null
}

function wrong(words: string): number {
  complain(words)
  return 1
}
