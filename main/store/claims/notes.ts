import { randomUUID } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Disposable, disposable } from '../../../shared/lib/disposable.ts'
import type { LifeLock } from './life-lock.ts'

/** What a process that has died had written down and not crossed out. */
interface LeftNotes {
  readonly holder: string
  readonly entries: readonly unknown[]
  /** What they name is in order: they are thrown away. */
  done(): void
}

/**
 * What this process would leave about if it were killed, written down before it does: one file for each opening of the store, a line for
 * each note. Nothing is synced: the notes outlive the process, and after a power cut the processes are gone anyway. Never throws for want
 * of storage: a note that cannot be kept must not keep a command from running.
 */
export interface Notes extends Disposable {
  /** Disposing crosses it out. */
  note(entry: object): Disposable
  /** Takes over the notes of processes that have died; of several that ask at once one gets each. */
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
  const crossOut = (id: number): void => {
    open.delete(id)
    if (open.size === 0 && file !== null) ftruncateSync(file)
    else line({ id })
  }
  return {
    note(entry) {
      const id = ++count
      open.add(id)
      quietly(() => line({ id, entry }))
      return disposable(() => quietly(() => crossOut(id)))
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

/** Under a name of our own, so that nobody else takes them, and whoever follows us finds them if we die over them. Null: somebody else was first. */
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

/** A last line that was cut off by the kill is none. */
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
    // See `Notes`.
  }
}
