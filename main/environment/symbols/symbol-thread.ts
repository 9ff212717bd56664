import { setTimeout as delay } from 'node:timers/promises'
import type { FoundSymbol } from '../../../shared/api/workspace.ts'
import { workerFile } from '../worker-file.ts'
import { createWorkerThread } from '../worker-thread.ts'

type Asked =
  | { readonly kind: 'find'; readonly folder: string; readonly typed: string }
  /** `list`: paths relative to the folder, each followed by a NUL. */
  | { readonly kind: 'files'; readonly folder: string; readonly list: Uint8Array }
  | { readonly kind: 'lines'; readonly folder: string; readonly lines: Uint8Array }
  | { readonly kind: 'done'; readonly folder: string }
export type SymbolRequest = Asked & { readonly id: number }

export type SymbolReply = { readonly id: number } & (
  | { readonly kind: 'found'; readonly symbols: readonly FoundSymbol[]; readonly isReady: boolean }
  /** The files to read next. Empty if none are left. */
  | { readonly kind: 'next'; readonly paths: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string }
)

/** The thread that contains the indexes. It is started by the first request. */
export interface SymbolThread {
  find(folder: string, typed: string): Promise<{ readonly symbols: readonly FoundSymbol[]; readonly isReady: boolean }>
  /**
   * Removes unlisted files from the index. Finds the listed files whose current state is not in the index, and returns the first part of
   * them.
   */
  begin(folder: string, list: Uint8Array): Promise<readonly string[]>
  /**
   * Adds these files to the index, and returns the next files. Empty if none are left. `lines`: the lines that ripgrep printed for the
   * files.
   */
  take(folder: string, lines: Uint8Array): Promise<readonly string[]>
  /** Called when the index is complete, so that it can be searched and is stored for the next run. */
  done(folder: string): Promise<void>
  /** Waits at most 3 s until the indexes are stored. An index that is not stored in time is built again by the next run. */
  close(): Promise<void>
}

const STORE_MS = 3_000

/** `cache`: a folder for indexes of earlier runs. Null if there is none. */
export function createSymbolThread(cache: string | null): SymbolThread {
  const thread = createWorkerThread<Asked, SymbolReply>(() => workerFile('symbol-worker', import.meta.url), { cache })
  const ask = async <K extends SymbolReply['kind']>(kind: K, asked: Asked): Promise<Extract<SymbolReply, { kind: K }>> => {
    const reply = await thread.ask(asked)
    if (reply.kind !== kind) throw new Error(reply.kind === 'failed' ? reply.message : `The thread answered ${reply.kind}.`)
    return reply as Extract<SymbolReply, { kind: K }>
  }
  const storing = new Set<Promise<unknown>>()
  return {
    find: (folder, typed) => ask('found', { kind: 'find', folder, typed }),
    begin: async (folder, list) => (await ask('next', { kind: 'files', folder, list })).paths,
    take: async (folder, lines) => (await ask('next', { kind: 'lines', folder, lines })).paths,
    async done(folder) {
      const stored = ask('next', { kind: 'done', folder })
      storing.add(stored)
      await stored.finally(() => storing.delete(stored))
    },
    async close() {
      if (storing.size > 0) await Promise.race([Promise.allSettled(storing), delay(STORE_MS, undefined, { ref: false })])
      await thread.close()
    },
  }
}
