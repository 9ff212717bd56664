import { z } from 'zod'
import { once } from '../../shared/lib/once.ts'
import type { Hook } from '../../shared/session/hooks.ts'
import type { LearnedStorage } from '../providers/catalogue/learned-from-refusals.ts'

/**
 * Records which hooks the user allows to run with full rights. A hook is identified by its text. A hook of a project is allowed only in
 * that project.
 */
export interface UnconfinedHooks {
  has(folder: string, hook: Hook): boolean
  set(folder: string, hook: Hook, isFree: boolean): void
}

/** Stores the list in a file of the data folder. If the file is lost, all hooks run confined again. */
export function createUnconfinedHooks(file: LearnedStorage): UnconfinedHooks {
  let free: ReadonlySet<string> = new Set()
  let lastRead: string | null = null
  // The file is read each time, because other processes change it. If this process could not write its decision to the file, it still
  // applies the decision.
  const current = (): ReadonlySet<string> => {
    const stored = file.read()
    if (JSON.stringify(stored) === lastRead) return free
    lastRead = JSON.stringify(stored)
    return (free = new Set(freeSchema().safeParse(stored).data))
  }
  return {
    has: (folder, hook) => current().has(keyOf(folder, hook)),
    set(folder, hook, isFree) {
      const others = [...current()].filter((key) => key !== keyOf(folder, hook))
      free = new Set(isFree ? [...others, keyOf(folder, hook)] : others)
      file.write([...free])
      lastRead = JSON.stringify(file.read())
    },
  }
}

const freeSchema = once(() => z.array(z.string()))

const keyOf = (folder: string, { from, event, matcher, command, http }: Hook): string =>
  JSON.stringify([from === 'person' ? null : folder, event, matcher, command, ...(http ? [http] : [])])
