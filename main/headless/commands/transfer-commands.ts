import { resolve } from 'node:path'
import { EXPORT_FORMATS, type ImportPreview, SOURCE_NAMES } from '../../../shared/api/transfer.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { App } from '../../compose/app.ts'
import type { CommandValues, CommandWork } from './command.ts'
import { failWith, noSession } from '../report/standard-output.ts'
import { visibleLine } from '../report/visible-text.ts'

export function exportCommand([id = '']: readonly string[], { format: wanted = 'markdown' }: CommandValues): Result<CommandWork, string> {
  const format = EXPORT_FORMATS.find((one) => one === wanted)
  if (!format) return failed(`--format takes ${EXPORT_FORMATS.join(', ')}, not "${wanted}".`)
  return ok(({ withApp, write }) =>
    withApp(async ({ store, redactor }) => {
      // The modules of a command are loaded when it runs, because most runs do not need them.
      const { exportSession } = await import('../../transfer/export/export-session.ts')
      const sessionId = chosen(store.sessions.list(), id)
      if (sessionId === null) return failWith(noSession(`There is no session ${visibleLine(id)}.`))
      for await (const text of exportSession({ store, redactor, now: Date.now() }, sessionId, format)) write(text)
      return 0
    }),
  )
}

export function importCommand(
  [file = '']: readonly string[],
  { preview: isPreview = false, json = !process.stdout.isTTY }: CommandValues,
  here: string,
): Result<CommandWork, string> {
  return ok(({ withApp, write }) =>
    withApp(async ({ store, redactor, imports }) => {
      const { previewOf, readTranscript } = await import('../../transfer/import/read-transcript.ts')
      const { importSession } = await import('../../transfer/import/import-session.ts')
      const read = await readTranscript(resolve(here, file))
      if (!read.ok) return failWith(read.failure)
      const preview = await previewOf(read.value)
      const sessionId = isPreview
        ? null
        : ((await imports.take(resolve(here, file))) ?? (await importSession(read.value, { store, redactor })))
      write(json ? `${JSON.stringify({ sessionId, ...preview })}\n` : importWords(sessionId, preview))
      return 0
    }),
  )
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
