import { z } from 'zod'
import { once } from '../../shared/lib/once.ts'
import type { Hook } from '../../shared/session/hooks.ts'
import type { Confined } from '../agent/ports/command-copies.ts'
import type { LearnedStorage } from '../providers/catalogue/learned-from-refusals.ts'
import type { Workspace } from '../workspace/workspaces.ts'

export type OpenFolder = Pick<Workspace, 'environment' | 'folder' | 'copies' | 'isSandboxRequired'>

/** Records by their text which hooks the user allows to run with full rights. A hook of a project is allowed only in that project. */
export interface FreeHooks {
  has(folder: string, hook: Hook): boolean
  set(folder: string, hook: Hook, isFree: boolean): void
}

/** Stores the list in a file of the data folder. If the file is lost, all hooks run confined again. */
export function createFreeHooks(file: LearnedStorage): FreeHooks {
  let free: ReadonlySet<string> = new Set()
  let lastRead: string | null = null
  // The file is read each time, because other processes change it. If it could not be written, this process keeps its own decision.
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

/** Confines one run of a hook. Resolves to null if the hook runs with full rights. Rejects with an `Error` if the hook may not run. */
export type ConfineHook = (hook: Hook) => Promise<Confined | null>

export interface ConfineParts {
  readonly free: FreeHooks
  /** Folders that contain the programs of the user's own hooks. Needed only for folders that confinement hides. */
  readonly scripts?: readonly string[]
}

/** Hooks may write only in the folder and have no network, unless the user exempts them or there is no sandbox. */
export function confineIn(
  { folder, copies, isSandboxRequired }: Pick<OpenFolder, 'folder' | 'copies' | 'isSandboxRequired'>,
  { free, scripts = [] }: ConfineParts,
  transcript?: { readonly path: string },
): ConfineHook {
  const shown = transcript ? [transcript.path] : []
  return async (hook) => {
    const isFree = free.has(folder, hook)
    if (hook.http && !isFree) throw new Error('nothing was sent, because you have not allowed it in Settings, Hooks')
    if (hook.http) return null
    if (!isFree && copies && (await copies.support()).kind === 'present')
      return copies.confine({ visible: hook.from === 'person' ? [...shown, ...scripts] : shown })
    if (isSandboxRequired) throw new Error('it was not started, because --sandbox require lets no program run for real')
    return null
  }
}

/** Appended to the message of a failed hook, because confinement may be the reason for the failure. */
export const WAS_CONFINED = 'It ran confined to the folder, without network. If it needs more, give it full rights in Settings, Hooks.'
