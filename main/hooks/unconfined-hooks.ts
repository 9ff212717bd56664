import { z } from 'zod'
import { once } from '../../shared/lib/once.ts'
import type { ExecutedFile } from '../../shared/session/effects.ts'
import type { Hook } from '../../shared/session/hooks.ts'
import type { ScriptHashes } from '../../shared/api/changed-scripts.ts'
import { hashesOf } from '../approval/changed-scripts.ts'
import type { LearnedStorage } from '../providers/catalogue/learned-from-refusals.ts'

/**
 * Records which hooks the user allows to run with full rights, and with which content of their scripts. A hook is identified by its text.
 * A hook of a project is allowed only in that project.
 */
export interface UnconfinedHooks {
  has(folder: string, hook: Hook): boolean
  /** Records the user's decision, for the scripts as they are now. */
  set(folder: string, hook: Hook, isFree: boolean, scripts: readonly ExecutedFile[]): void
  /**
   * For a hook that cannot be confined: records its scripts as they are now, unless this or a decision was recorded before. Returns whether
   * it recorded them.
   */
  remember(folder: string, hook: Hook, scripts: readonly ExecutedFile[]): boolean
  /** The scripts as they were recorded. Null if nothing was recorded about this hook. */
  trusted(folder: string, hook: Hook): ScriptHashes | null
}

interface Recorded {
  readonly isFree: boolean
  readonly scripts: ScriptHashes
}

/** Stores the list in a file of the data folder. If the file is lost, all hooks run confined again. */
export function createUnconfinedHooks(file: LearnedStorage): UnconfinedHooks {
  let recorded: ReadonlyMap<string, Recorded> = new Map()
  let lastRead: string | null = null
  // The file is read each time, because other processes change it. If this process could not write its decision to the file, it still
  // applies the decision.
  const current = (): ReadonlyMap<string, Recorded> => {
    const stored = file.read()
    if (JSON.stringify(stored) === lastRead) return recorded
    lastRead = JSON.stringify(stored)
    return (recorded = new Map(
      storedSchema()
        .safeParse(stored)
        .data?.map(({ hook, ...rest }) => [hook, rest]),
    ))
  }
  const write = (key: string, isFree: boolean, scripts: readonly ExecutedFile[]): void => {
    const before = current().get(key)?.scripts
    // A hook of the user may name other scripts in other projects.
    recorded = new Map([...current(), [key, { isFree, scripts: { ...before, ...hashesOf(scripts) } }]])
    file.write([...recorded].map(([hook, rest]) => ({ hook, ...rest })))
    lastRead = JSON.stringify(file.read())
  }
  return {
    has: (folder, hook) => current().get(keyOf(folder, hook))?.isFree === true,
    set: (folder, hook, isFree, scripts) => write(keyOf(folder, hook), isFree, scripts),
    remember(folder, hook, scripts) {
      if (current().has(keyOf(folder, hook))) return false
      write(keyOf(folder, hook), false, scripts)
      return true
    },
    trusted: (folder, hook) => current().get(keyOf(folder, hook))?.scripts ?? null,
  }
}

const storedSchema = once(() =>
  z.array(
    z.union([
      z.object({ hook: z.string(), isFree: z.boolean(), scripts: z.record(z.string(), z.string()) }),
      // Earlier versions stored only the text of each hook with full rights.
      z.string().transform((hook) => ({ hook, isFree: true, scripts: {} })),
    ]),
  ),
)

const keyOf = (folder: string, { from, event, matcher, command, http }: Hook): string =>
  JSON.stringify([from === 'person' ? null : folder, event, matcher, command, ...(http ? [http] : [])])
