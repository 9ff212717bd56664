import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { relative, sep } from 'node:path'
import type { ComparisonRun, FolderComparison, FoundChanges } from '../../agent/ports/folder-comparison.ts'
import { isInside } from '../../is-inside.ts'
import { orNull } from '../environment-failure.ts'
import { ask, type ComparisonAnswer, failed, startThread, type Thread } from './comparison-thread.ts'
import { compareReadings } from './compare-readings.ts'
import { type FolderReading, type ReadFolder, readFolder, type ReadingBudget, type SeenFile } from './read-folder.ts'

const BUDGET: ReadingBudget = { files: 50_000, ms: 1500, fileBytes: 2 * 1024 ** 2, totalBytes: 64 * 1024 ** 2 }
/**
 * A folder within these limits is read without a worker, whose start takes 60 ms of CPU time and 15 MB of memory. `ms` is how long one
 * reading may block the app.
 */
const SMALL = { files: 500, ms: 15, totalBytes: 4 * 1024 ** 2 } as const
/** Time without a command, in ms, after which the worker and the bytes that are kept for the next reading are freed. */
const IDLE_MS = 120_000

export interface ComparisonOptions {
  readonly budget?: ReadingBudget
  /** Default: `SMALL`. */
  readonly small?: Omit<ReadingBudget, 'fileBytes'>
  /** Countersign's own folders, which change with every step. They are not compared. */
  readonly ownFolders?: readonly string[]
}

/**
 * Compares one folder. A small one is read at once. A larger one is read in a thread, which starts with `prepare` or with the first
 * command.
 */
export function createFolderComparison(
  folder: string,
  { budget = BUDGET, small: smallLimits = SMALL, ownFolders = [] }: ComparisonOptions = {},
): FolderComparison {
  const read: ReadFolder = { folder, budget, excluded: ownFolders.flatMap((own) => pathBelow(folder, own)) }
  const small = createSmallFolder(read, smallLimits)
  let thread: Thread | null = null
  let idle: NodeJS.Timeout | undefined
  let nextId = 1
  /** The number of runs that have begun and not ended. A background command may continue for hours. */
  let open = 0
  let isDisposed = false
  const free = (): void => {
    clearTimeout(idle)
    small.forget()
    thread?.stop('the app is closing')
    thread = null
  }
  const freeLater = (): void => {
    clearTimeout(idle)
    if (open === 0) idle = setTimeout(free, IDLE_MS).unref()
  }
  const ended = (): void => {
    open--
    freeLater()
  }
  const started = (): Thread => {
    if (isDisposed) throw new Error('the app is closing')
    if (!thread?.isRunning()) thread = startThread()
    return thread
  }
  let isPrepared = false
  // A home folder is far too large to compare, and most of it does not belong to a project.
  const isHome = (): boolean => isInside(folder, homedir())
  return {
    prepare() {
      if (isPrepared || open > 0 || isHome()) return
      isPrepared = true
      if (small.read() === null) {
        const own = attempt(started)
        if (!(own instanceof Error)) own.send({ kind: 'prepare', ...read })
      }
      freeLater()
    },
    async begin() {
      isPrepared = true
      if (isHome()) return notBegun('it is your home folder, or contains it')
      const id = nextId++
      clearTimeout(idle)
      open++
      const before = small.read()
      if (before) {
        return {
          async end() {
            const after = small.read()
            // If the command made the folder large, the thread reads it again.
            const answer = after
              ? comparedHere(id, before, after, budget)
              : await ask(attempt(started), { kind: 'end', id, before, ...read })
            ended()
            return foundIn(answer)
          },
          drop: ended,
        }
      }
      const own = attempt(started)
      const begun = await ask(own, { kind: 'begin', id, ...read })
      if (begun.kind === 'failed') {
        ended()
        return notBegun(begun.message)
      }
      return {
        async end() {
          const answer = await ask(own, { kind: 'end', id, ...read })
          ended()
          return foundIn(answer)
        },
        drop() {
          if (!(own instanceof Error)) own.send({ kind: 'drop', id })
          ended()
        },
      }
    },
    dispose() {
      isDisposed = true
      free()
    },
  }
}

interface SmallFolder {
  /** Null if the folder was ever too large, or cannot be read at all. */
  read(): FolderReading | null
  /** Frees the bytes that are kept for the next reading. */
  forget(): void
}

function createSmallFolder({ budget, ...what }: ReadFolder, limits: Omit<ReadingBudget, 'fileBytes'>): SmallFolder {
  const smaller: ReadingBudget = {
    files: Math.min(limits.files, budget.files),
    ms: Math.min(limits.ms, budget.ms),
    fileBytes: budget.fileBytes,
    totalBytes: Math.min(limits.totalBytes, budget.totalBytes),
  }
  let isLarge = false
  let known: ReadonlyMap<string, SeenFile> = new Map()
  return {
    read() {
      if (isLarge) return null
      const reading = orNull(() => readFolder({ ...what, budget: smaller }, known))
      isLarge = !reading?.isWhole
      known = isLarge ? new Map() : (reading?.files ?? known)
      return isLarge ? null : reading
    },
    forget: () => (known = new Map()),
  }
}

function comparedHere(id: number, before: FolderReading, after: FolderReading, budget: ReadingBudget): ComparisonAnswer {
  const found = attempt(() => compareReadings(before, after, budget))
  return found instanceof Error ? failed(id, found) : { kind: 'ended', id, found }
}

function foundIn(answer: ComparisonAnswer): FoundChanges {
  if (answer.kind === 'ended') return answer.found
  return notCompared(answer.kind === 'failed' ? answer.message : 'no answer')
}

const notBegun = (why: string): ComparisonRun => ({ end: () => Promise.resolve(notCompared(why)), drop: () => {} })

const notCompared = (why: string): FoundChanges => ({
  changes: [],
  folders: [],
  files: 0,
  leftOut: [`The folder was not compared: ${why}.`],
})

/**
 * A list with the path of one of Countersign's own folders (its real path relative to the project folder, with `/` as the separator). Empty
 * if that folder is not inside the project folder.
 */
function pathBelow(folder: string, own: string): readonly string[] {
  const real = orNull(() => realpathSync(own))
  return real !== null && real !== folder && isInside(folder, real) ? [relative(folder, real).replaceAll(sep, '/')] : []
}

function attempt<T>(work: () => T): T | Error {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
