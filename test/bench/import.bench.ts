import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { storageThreadOf } from '../../main/compose/stored-session-parts.ts'
import { importSession } from '../../main/transfer/import/import-session.ts'
import { readTranscript } from '../../main/transfer/import/read-transcript.ts'
import { inFolder, made, seeded } from './bench-app.ts'
import type { Figure } from './figures.ts'
import { told, watchMain } from './main-watch.ts'

/** Number of requests in the transcript. Each has four lines: 300,000 lines in total. */
const REQUESTS = 75_000

/** Measures the import of a long transcript of Claude Code. */
export async function benchImport(): Promise<readonly Figure[]> {
  return inFolder(async (folder) => {
    const path = join(folder, 'long.jsonl')
    writeFileSync(path, Array.from({ length: REQUESTS }, (_, at) => requestLines(at)).join(''))
    const figures: Figure[] = []
    const data = made(folder, 'data')
    await seeded(data, async (store) => {
      // As in the app, a thread moves the journal into the database, so that no commit has to.
      const thread = await storageThreadOf(store, data, true)
      const watched = await watchMain(async () => {
        const read = await readTranscript(path)
        if (!read.ok) throw new Error(read.failure.what)
        await importSession(read.value, { store, redactor: { text: (text) => text } })
      })
      await thread.close()
      figures.push({
        promise: `import of a transcript of ${REQUESTS * 4} lines`,
        value: `${(watched.totalMs / 1000).toFixed(1)} s`,
        method: `reading and storing; main: ${told(watched)}`,
      })
    })
    return figures
  })
}

/** A request, a call, its result, and the answer. */
function requestLines(at: number): string {
  const timestamp = new Date(1.7e12 + at * 1000).toISOString()
  const line = (part: number, type: string, message: object): string =>
    `${JSON.stringify({
      type,
      uuid: `u${at}-${part}`,
      parentUuid: part === 0 ? (at === 0 ? null : `u${at - 1}-3`) : `u${at}-${part - 1}`,
      sessionId: 's',
      timestamp,
      cwd: '/w',
      message,
    })}\n`
  const model = 'claude-sonnet-5-5'
  return [
    line(0, 'user', { role: 'user', content: `Look at file ${at}.` }),
    line(1, 'assistant', {
      id: `m${at}`,
      model,
      content: [{ type: 'tool_use', id: `t${at}`, name: 'Read', input: { file_path: `/w/f${at}.ts` } }],
    }),
    line(2, 'user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: 'a line of the file\n'.repeat(15) }],
    }),
    line(3, 'assistant', { id: `n${at}`, model, content: [{ type: 'text', text: `File ${at} is fixed.` }] }),
  ].join('')
}
