import type { FoundSymbol } from '../../shared/api/workspace.ts'
import { isFar } from '../../shared/places/address.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { findRipgrep } from '../environment/search/ripgrep/ripgrep.ts'
import { CODE_FILES, ROUGH_LINES } from '../environment/symbols/symbol-rules.ts'
import { createSymbolThread } from '../environment/symbols/symbol-thread.ts'
import type { Workspaces } from './workspaces.ts'

/** Time in ms for which an index is used before the app looks for changed files, in parallel with the search. */
const FRESH_MS = 10_000
/** Maximum size in bytes of ripgrep's output: the list of files, or the matching lines of one part of these files. */
const MAX_BYTES = 64 * 1024 ** 2
const LIMIT_MS = 60_000

export interface SymbolFinder {
  /**
   * Definitions in a folder (given by its real path) that match the typed text, best first, at most 20. `isReady` is false until the
   * folder has been read.
   */
  find(folder: string, typed: string): Promise<{ readonly symbols: readonly FoundSymbol[]; readonly isReady: boolean }>
  close(): Promise<void>
}

/** `cache` is a folder for indexes; null if there is none. `now` returns ms from any monotonic clock. */
export function createSymbolFinder(workspaces: Pick<Workspaces, 'open'>, cache: string | null, now: () => number): SymbolFinder {
  const thread = createSymbolThread(cache)
  const readAt = new Map<string, number>()
  const reading = new Map<string, Promise<void>>()
  const read = (folder: string): void => {
    if (reading.has(folder)) return
    const work = index(workspaces, folder, thread)
      // A failed read also counts as a read, so that typing does not start a new one with each letter.
      .catch(() => {})
      .finally(() => {
        reading.delete(folder)
        readAt.set(folder, now())
      })
    reading.set(folder, work)
  }
  return {
    async find(folder, typed) {
      const at = readAt.get(folder)
      if (at === undefined || now() - at > FRESH_MS) read(folder)
      return thread.find(folder, typed).catch(() => ({ symbols: [], isReady: false }))
    },
    close: thread.close,
  }
}

/** Updates the index. Only files that have changed since the last time are read again. */
async function index(workspaces: Pick<Workspaces, 'open'>, folder: string, thread: ReturnType<typeof createSymbolThread>): Promise<void> {
  const opened = await workspaces.open(folder)
  // A host process on another machine replaces this name with the path of its own ripgrep.
  const ripgrep = isFar(folder) ? 'rg' : await findRipgrep()
  if (!opened.ok) return
  try {
    if (ripgrep === null) return
    const { environment: env } = opened.value
    const listed = await env.spawn([ripgrep, ...ALWAYS, '--files', '--null', '--glob', CODE_FILES], {
      maxBytes: MAX_BYTES,
      timeoutMs: LIMIT_MS,
    })
    let paths = await thread.begin(folder, listed.stdout)
    while (paths.length > 0) paths = await thread.take(folder, await linesIn(env, ripgrep, paths))
    await thread.done(folder)
  } finally {
    await opened.value.close()
  }
}

const ALWAYS = ['--no-config', '--no-messages', '--no-require-git'] as const

async function linesIn(env: ExecutionEnvironment, ripgrep: string, paths: readonly string[]): Promise<Uint8Array> {
  const form = [
    '--line-number',
    '--no-heading',
    '--with-filename',
    '--null',
    '--color',
    'never',
    '--max-columns',
    '400',
    '--max-filesize',
    '1M',
  ]
  const patterns = ROUGH_LINES.flatMap((rough) => ['--regexp', rough])
  const found = await env.spawn([ripgrep, ...ALWAYS, ...form, ...patterns, '--', ...paths.map((path) => `./${path}`)], {
    maxBytes: MAX_BYTES,
    timeoutMs: LIMIT_MS,
  })
  return found.stdout
}
