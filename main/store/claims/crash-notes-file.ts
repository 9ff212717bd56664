import { randomUUID } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Disposable, disposable } from '../../../shared/lib/disposable.ts'
import type { LifeLock } from './life-lock.ts'

/** Notes of a process that has died without removing them. */
interface LeftNotes {
  readonly holder: string
  readonly entries: readonly unknown[]
  /** Removes the notes. Call this when everything that they mention has been cleaned up. */
  done(): void
}

/**
 * Records in advance what this process would leave behind if it were killed, such as running commands. There is one file per open store,
 * with one line per note. Nothing is synced: notes survive the process, and after a power cut there are no processes left. Never throws: a
 * failed note must not prevent a command.
 */
export interface Notes extends Disposable {
  /** Disposing removes the note. */
  note(entry: object): Disposable
  /** Takes over the notes of dead processes. Each note is given to only one caller. */
  leftBehind(): readonly LeftNotes[]
}

export const NO_NOTES: Notes = { note: () => ({ dispose: () => {} }), leftBehind: () => [], dispose: () => {} }

export function createNotes(folder: string, life: Pick<LifeLock, 'holder' | 'leftBehind'>): Notes {
  const path = join(folder, `${life.holder}.jsonl`)
  const open = new Set<number>()
  let file: number | null = null
  let count = 0
  const line = (words: object): void => {
    file ??= openSync(path, 'a', 0o600)
    writeSync(file, `${JSON.stringify(words)}\n`)
  }
  const remove = (id: number): void => {
    open.delete(id)
    if (open.size === 0 && file !== null) ftruncateSync(file)
    else line({ id })
  }
  return {
    note(entry) {
      const id = ++count
      open.add(id)
      quietly(() => line({ id, entry }))
      return disposable(() => quietly(() => remove(id)))
    },
    leftBehind() {
      let names: readonly string[] = []
      quietly(() => (names = life.leftBehind(folder)))
      return names.flatMap((name) => taken(folder, name, life.holder) ?? [])
    },
    dispose() {
      if (file !== null) quietly(() => closeSync(file ?? 0))
      if (open.size === 0) quietly(() => rmSync(path, { force: true }))
    },
  }
}

/**
 * Renames the file so that its name begins with `holder`, which keeps other processes from taking it. If this process dies, the next one
 * finds the file. Null if another process was faster.
 */
function taken(folder: string, name: string, holder: string): LeftNotes | null {
  const own = join(folder, `${holder}.${randomUUID()}.jsonl`)
  try {
    renameSync(join(folder, name), own)
    return {
      holder: name.split('.', 1)[0] ?? name,
      entries: entriesOf(readFileSync(own, 'utf8')),
      done: () => rmSync(own, { force: true }),
    }
  } catch {
    return null
  }
}

/** The last line may be cut off. In that case, it is skipped. */
function entriesOf(text: string): readonly unknown[] {
  const entries = new Map<unknown, unknown>()
  for (const line of text.split('\n')) {
    const words = parsed(line)
    if (words?.id === undefined) continue
    if (words.entry === undefined) entries.delete(words.id)
    else entries.set(words.id, words.entry)
  }
  return [...entries.values()]
}

function parsed(line: string): { readonly id?: unknown; readonly entry?: unknown } | null {
  try {
    return JSON.parse(line) as { readonly id?: unknown; readonly entry?: unknown } | null
  } catch {
    return null
  }
}

function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // Notes must never throw.
  }
}
