import { AsyncLocalStorage } from 'node:async_hooks'
import type { ExecutionEnvironment } from './ports/execution-environment.ts'

/**
 * A short piece of work that sees files as they were at one moment: preparing a call, opening a session. An environment on another machine
 * reads each file once during a look, and several files with one message. An environment on this computer takes no notice.
 */
export interface Look {
  /** Whether contents may be read ahead. In a folder that is not trusted yet, nothing is read that was not asked for. */
  readonly readsAhead: boolean
  isOver: boolean
}

const looks = new AsyncLocalStorage<Look>()

export const newLook = (readsAhead = true): Look => ({ readsAhead, isOver: false })

/** Runs work as a part of a look, which goes on afterwards. */
export const inLook = <T>(look: Look, work: () => T): T => looks.run(look, work)

/** Runs work as a look of its own, unless it is already a part of one. */
export async function oneLook<T>(work: () => Promise<T>, readsAhead = true): Promise<T> {
  if (currentLook()?.readsAhead === readsAhead) return work()
  const look = newLook(readsAhead)
  try {
    return await inLook(look, work)
  } finally {
    look.isOver = true
  }
}

/** The look that the running code is a part of. Null if there is none, or if it is over. */
export function currentLook(): Look | null {
  const look = looks.getStore()
  return look && !look.isOver ? look : null
}

/**
 * In a look, asks for these paths at the same time, because single questions to another machine take long. `wants`: what will be needed of
 * them: only facts, or their contents too. The answers are not awaited if the caller does not need to.
 */
export async function lookAhead(
  env: Pick<ExecutionEnvironment, 'lstat' | 'realpath'>,
  paths: readonly string[],
  wants: 'facts' | 'contents',
): Promise<void> {
  if (currentLook() === null) return
  const ask = (path: string): Promise<unknown> => (wants === 'facts' ? env.lstat(path) : env.realpath(path))
  await Promise.all(paths.map((path) => ask(path).catch(() => null)))
}
