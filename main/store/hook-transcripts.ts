import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SessionId } from '../../shared/lib/ids.ts'
import { createSlices } from '../agent/event-loop-slices.ts'

/** A file of lines that grows with a session. It exists while the session is open. */
export interface TranscriptFile {
  readonly path: string
  /**
   * Updates the file to these items, writing only the new ones. `lineOf` makes a line, without its line ending, from an item and its
   * index.
   */
  update<T>(items: readonly T[], lineOf: (item: T, index: number) => string): Promise<void>
  remove(): Promise<void>
}

/** Number of items per write. */
const BATCH = 50

const ENDING = '.jsonl'
const folderIn = (dataFolder: string): string => join(dataFolder, 'transcripts')

/** The conversation of a session for hooks, in the folder `transcripts` of the data folder. */
export function transcriptFile(dataFolder: string, sessionId: SessionId): TranscriptFile {
  const folder = folderIn(dataFolder)
  const path = join(folder, `${sessionId}${ENDING}`)
  let written: readonly unknown[] = []
  let last: Promise<void> = Promise.resolve()
  const write = async <T>(items: readonly T[], lineOf: (item: T, index: number) => string): Promise<void> => {
    const isLonger = written.length > 0 && written.length <= items.length && written.at(-1) === items[written.length - 1]
    if (!isLonger) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(path, '', { mode: 0o600 })
      written = []
    }
    const slice = createSlices()
    for (let from = written.length; from < items.length; from += BATCH) {
      const lines: string[] = []
      for (const [index, item] of items.slice(from, from + BATCH).entries()) {
        await slice()
        lines.push(`${lineOf(item, from + index)}\n`)
      }
      await appendFile(path, lines.join(''))
    }
    written = items
  }
  return {
    path,
    update: (items, lineOf) => (last = last.catch(() => {}).then(() => write(items, lineOf))),
    remove: () => (last = last.catch(() => {}).then(() => rm(path, { force: true }))),
  }
}

/** Removes the conversation files of these sessions. Never throws, because the next launch tries again. */
export async function removeTranscripts(dataFolder: string, sessionIds: readonly SessionId[]): Promise<void> {
  for (const sessionId of sessionIds) await rm(join(folderIn(dataFolder), `${sessionId}${ENDING}`), { force: true }).catch(() => {})
}

/** Removes the files that dead processes left behind. `running` returns the sessions that a live process has open. Never throws. */
export async function removeLeftTranscripts(dataFolder: string, running: () => ReadonlySet<SessionId>): Promise<void> {
  const names = await readdir(folderIn(dataFolder)).catch(() => [])
  const found = names.flatMap((name) => (name.endsWith(ENDING) ? (SessionId.safeParse(name.slice(0, -ENDING.length)).data ?? []) : []))
  if (found.length === 0) return
  // The running sessions are read after the folder. A session is claimed before its file is written, so the file of a running session is
  // never removed.
  const alive = running()
  await removeTranscripts(
    dataFolder,
    found.filter((sessionId) => !alive.has(sessionId)),
  )
}
