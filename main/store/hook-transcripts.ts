import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionId } from '../../shared/lib/ids.ts'

/** A file of lines that grows with a session. It exists while the session is open. */
export interface TranscriptFile {
  readonly path: string
  /** Brings the file to these items; only what is new is written. `lineOf`: a line without its ending, made from an item and its place. */
  update<T>(items: readonly T[], lineOf: (item: T, index: number) => string): Promise<void>
  remove(): Promise<void>
}

/** Items per write, so that a long conversation does not hold up the process. */
const BATCH = 50

/** The conversation of a session for hooks, in the folder `transcripts` of the data folder. */
export function transcriptFile(dataFolder: string, sessionId: SessionId): TranscriptFile {
  const folder = join(dataFolder, 'transcripts')
  const path = join(folder, `${sessionId}.jsonl`)
  let written: readonly unknown[] = []
  let last: Promise<void> = Promise.resolve()
  const write = async <T>(items: readonly T[], lineOf: (item: T, index: number) => string): Promise<void> => {
    const isLonger = written.length > 0 && written.length <= items.length && written.at(-1) === items[written.length - 1]
    if (!isLonger) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(path, '', { mode: 0o600 })
      written = []
    }
    for (let from = written.length; from < items.length; from += BATCH) {
      const lines = items.slice(from, from + BATCH).map((item, index) => `${lineOf(item, from + index)}\n`)
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
