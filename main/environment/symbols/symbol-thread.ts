import type { FoundSymbol } from '../../../shared/api/workspace.ts'
import { workerFile } from '../worker-file.ts'
import { createWorkerThread } from '../worker-thread.ts'

type Asked =
  | { readonly kind: 'find'; readonly folder: string; readonly typed: string }
  /** `list`: paths from the folder, each with a NUL after it. */
  | { readonly kind: 'files'; readonly folder: string; readonly list: Uint8Array }
  | { readonly kind: 'lines'; readonly folder: string; readonly lines: Uint8Array }
  | { readonly kind: 'done'; readonly folder: string }
export type SymbolRequest = Asked & { readonly id: number }

export type SymbolReply = { readonly id: number } & (
  | { readonly kind: 'found'; readonly symbols: readonly FoundSymbol[]; readonly isReady: boolean }
  /** Files to read next; empty: none are left. */
  | { readonly kind: 'next'; readonly paths: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string }
)

/** The thread that holds the indexes; it starts with the first question. */
export interface SymbolThread {
  find(folder: string, typed: string): Promise<{ readonly symbols: readonly FoundSymbol[]; readonly isReady: boolean }>
  /** The first of the listed files that are not in the index as they are now. Others than those listed leave it. */
  begin(folder: string, list: Uint8Array): Promise<readonly string[]>
  /** Puts these files into the index, and returns the next ones; empty: none are left. `lines`: what ripgrep printed of them. */
  take(folder: string, lines: Uint8Array): Promise<readonly string[]>
  /** The index is whole: it can be found in, and is kept for the next run. */
  done(folder: string): Promise<void>
  close(): Promise<void>
}

/** `cache`: a folder for indexes of earlier runs; null: none. */
export function createSymbolThread(cache: string | null): SymbolThread {
  const thread = createWorkerThread<Asked, SymbolReply>(() => workerFile('symbol-worker', import.meta.url), { cache })
  const ask = async <K extends SymbolReply['kind']>(kind: K, asked: Asked): Promise<Extract<SymbolReply, { kind: K }>> => {
    const reply = await thread.ask(asked)
    if (reply.kind !== kind) throw new Error(reply.kind === 'failed' ? reply.message : `The thread answered ${reply.kind}.`)
    return reply as Extract<SymbolReply, { kind: K }>
  }
  return {
    find: (folder, typed) => ask('found', { kind: 'find', folder, typed }),
    begin: async (folder, list) => (await ask('next', { kind: 'files', folder, list })).paths,
    take: async (folder, lines) => (await ask('next', { kind: 'lines', folder, lines })).paths,
    done: async (folder) => void (await ask('next', { kind: 'done', folder })),
    close: () => thread.close(),
  }
}
