import { setTimeout as delay } from 'node:timers/promises'
import { adoptOneOf, checkAll, checkFolder } from './check-run.ts'
import { AppKilled } from './driven-app.ts'
import { copyOf, type Run, type World } from './run.ts'

/** A kill that may come during a step. */
export interface Killed {
  /** Whether it comes during this step. */
  readonly isMine: boolean
  during(work: () => Promise<void>): Promise<void>
}

export const NOT_KILLED: Killed = { isMine: false, during: (work) => work() }

export const killAfter = (kill: () => Promise<void>, afterMs: number): Killed => ({
  isMine: true,
  async during(work) {
    const working = work()
    const settled = working.catch(() => {})
    await Promise.race([delay(afterMs), settled])
    await kill()
    await working
  },
})

/**
 * Does something that leads to the first of these worlds, and resolves to true. If it is interrupted, checks that the world is one of
 * these or unchanged, and resolves to false.
 */
export async function perform(
  run: Run,
  work: () => Promise<void>,
  [after, ...others]: readonly [World, ...World[]],
  killed: Killed = NOT_KILLED,
): Promise<boolean> {
  const before = copyOf(run.world)
  let isInterrupted = killed.isMine
  try {
    await killed.during(work)
  } catch (error) {
    isInterrupted ||= error instanceof AppKilled
    if (!isInterrupted) throw error
  }
  if (isInterrupted) {
    for (const one of run.sessions) one.inside = null
    await adoptOneOf(run, [after, ...others, before])
    return false
  }
  run.world = after
  checkFolder(run, after.folder)
  const isUnsure = after.layers.some(
    ({ unsure, unsureBase }) => unsureBase.size > 0 || [...unsure].some((path) => after.folder.get(path) !== null),
  )
  if (isUnsure) await checkAll(run)
  return true
}
