import { z } from 'zod'
import { HOOK_EVENTS, type Hook, type HookRun } from '../session/hooks.ts'
import type { Trouble } from '../session/events.ts'
import { type ChangedScript, ScriptHashes } from './changed-scripts.ts'
import type { Done } from './sessions.ts'
import { command, returns } from '../wire/contract.ts'

/** A hook and its last run since the app started. `last` is null if the hook has not run since then. */
export interface ListedHook extends Hook {
  /** Whether the user lets the hook run with all the user's rights. */
  readonly isFree: boolean
  /** The hook's scripts that changed since the user trusted them. The hook does not run while there are any. */
  readonly changed: readonly ChangedScript[]
  /** The hook's scripts, with their content when the hook was listed. */
  readonly scripts: ScriptHashes
  readonly last: (Pick<HookRun, 'outcome' | 'durationMs' | 'says'> & { readonly at: number }) | null
  /** Events of recent sessions that would run the hook, the newest first. */
  readonly moments: readonly { readonly id: string; readonly label: string }[]
}

export interface ListedHooks {
  readonly hooks: readonly ListedHook[]
  /**
   * Whether a sandbox is available. If so, hooks that were not given all the user's rights run confined to the folder. Without a sandbox,
   * all hooks run with all rights.
   */
  readonly canConfine: boolean
  /** Hooks that do not run, each with a sentence about the reason. */
  readonly unused: readonly { readonly source: string; readonly why: string }[]
}

const oneHook = z.object({
  folder: z.string().min(1).max(4096),
  event: z.enum(HOOK_EVENTS),
  matcher: z.string().max(10_000),
  command: z.string().min(1).max(100_000),
  condition: z.string().max(10_000).optional(),
})

export const hooksApi = {
  /** The user's hooks and those of a folder, read again. A folder that is not trusted has none. */
  list: command({ input: z.object({ folder: z.string().max(4096) }), output: returns<ListedHooks>() }),
  /** Runs one of these hooks for real on a recorded event, or on an example if the event is null. The hook's answer has no effect. */
  tryOut: command({
    input: oneHook.extend({ moment: z.string().max(1_000).nullable() }),
    output: returns<{ readonly ok: true; readonly run: HookRun } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /**
   * Lets one of these hooks run with all the user's rights from now on, or confines it again. `scripts`: as `list` returned them. They are
   * trusted with this content. If one has other content by now, nothing is changed and the call fails.
   */
  setFree: command({ input: oneHook.extend({ isFree: z.boolean(), scripts: ScriptHashes }), output: returns<Done>() }),
}
