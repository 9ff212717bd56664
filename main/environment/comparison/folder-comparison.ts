import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { relative, sep } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FolderComparison, FoundChanges } from '../../agent/ports/folder-comparison.ts'
import { isInside } from '../../is-inside.ts'
import { orNull } from '../environment-failure.ts'
import { workerFile } from '../worker-file.ts'
import type { ReadFolder, ReadingBudget } from './read-folder.ts'

/** A question to the worker, and its answer. Both have the same `id`. */
export type ComparisonRequest =
  | ({ readonly kind: 'begin' | 'end'; readonly id: number } & ReadFolder)
  | { readonly kind: 'drop'; readonly id: number }
/** Sent before the first question. It has no answer. */
export type Preparation = { readonly kind: 'prepare' } & ReadFolder
export type ComparisonAnswer =
  | { readonly kind: 'begun'; readonly id: number }
  | { readonly kind: 'ended'; readonly id: number; readonly found: FoundChanges }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }

const BUDGET: ReadingBudget = { files: 50_000, ms: 1500, fileBytes: 2 * 1024 ** 2, totalBytes: 64 * 1024 ** 2 }
/** Time without a command, in ms, after which the worker and the bytes it keeps are freed. */
const IDLE_MS = 120_000

export interface ComparisonOptions {
  readonly budget?: ReadingBudget
  /** Countersign's own folders, which change with every step. They are not compared. */
  readonly ownFolders?: readonly string[]
}

/** Compares one folder in its own thread, which starts with `prepare` or with the first command. */
export function createFolderComparison(folder: string, { budget = BUDGET, ownFolders = [] }: ComparisonOptions = {}): FolderComparison {
  const read: ReadFolder = { folder, budget, excluded: ownFolders.flatMap((own) => pathBelow(folder, own)) }
  let thread: Thread | null = null
  let idle: NodeJS.Timeout | undefined
  let nextId = 1
  /** The number of runs that have begun and not ended. A background command may continue for hours. */
  let open = 0
  const stop = (): void => {
    clearTimeout(idle)
    thread?.stop('the app is closing')
    thread = null
  }
  const started = (): Thread => {
    clearTimeout(idle)
    if (!thread?.isRunning()) thread = startThread()
    return thread
  }
  const rest = (): void => {
    open--
    clearTimeout(idle)
    if (open > 0) return
    idle = setTimeout(stop, IDLE_MS).unref()
  }
  let isPrepared = false
  // A home folder is far too large to compare, and most of it does not belong to a project.
  const isHome = (): boolean => isInside(folder, homedir())
  return {
    prepare() {
      if (isPrepared || open > 0 || isHome()) return
      isPrepared = true
      const own = attempt(started)
      if (!(own instanceof Error)) own.send({ kind: 'prepare', ...read })
      idle = setTimeout(stop, IDLE_MS).unref()
    },
    async begin() {
      isPrepared = true
      if (isHome()) return { end: () => Promise.resolve(notCompared('it is your home folder, or contains it')), drop: () => {} }
      const id = nextId++
      const own = attempt(started)
      open++
      const begun = own instanceof Error ? failed(id, own) : await own.ask({ kind: 'begin', id, ...read })
      if (begun.kind === 'failed') rest()
      return {
        async end() {
          if (begun.kind === 'failed' || own instanceof Error) return notCompared(begun.kind === 'failed' ? begun.message : 'no thread')
          const ended = await own.ask({ kind: 'end', id, ...read })
          rest()
          return ended.kind === 'ended' ? ended.found : notCompared(ended.kind === 'failed' ? ended.message : 'no answer')
        },
        drop() {
          if (own instanceof Error || begun.kind === 'failed') return
          own.send({ kind: 'drop', id })
          rest()
        },
      }
    },
    dispose: stop,
  }
}

const failed = (id: number, { message }: Error): ComparisonAnswer => ({ kind: 'failed', id, message })

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

interface Thread {
  send(request: ComparisonRequest | Preparation): void
  /** Resolves with the answer, which is `failed` if the thread ends first. */
  ask(request: ComparisonRequest): Promise<ComparisonAnswer>
  stop(why: string): void
  isRunning(): boolean
}

function startThread(): Thread {
  const worker = new Worker(workerFile('comparison-worker', import.meta.url))
  // An idle thread must not keep the process alive.
  worker.unref()
  const waiting = new Map<number, (answer: ComparisonAnswer) => void>()
  let isRunning = true
  const end = (why: string): void => {
    isRunning = false
    for (const [id, resolve] of waiting) resolve({ kind: 'failed', id, message: why })
    waiting.clear()
  }
  worker.on('message', (answer: ComparisonAnswer) => {
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
    if (waiting.size === 0) worker.unref()
  })
  worker.on('error', (error: Error) => end(error.message))
  worker.on('exit', () => end('its thread ended'))
  return {
    send: (request) => worker.postMessage(request),
    ask: (request) =>
      new Promise((resolve) => {
        if (!isRunning) return resolve({ kind: 'failed', id: request.id, message: 'its thread ended' })
        waiting.set(request.id, resolve)
        worker.ref()
        worker.postMessage(request)
      }),
    stop(why) {
      end(why)
      void worker.terminate()
    },
    isRunning: () => isRunning,
  }
}
