import { z } from 'zod'
import type { Trouble } from '../session/events.ts'
import { command, returns } from '../wire/contract.ts'

export interface FolderFacts {
  /** Real path: trust belongs to it. */
  readonly folder: string
  readonly name: string
  readonly trust: 'yes' | 'no' | 'unasked'
  /** What opening would read or load once trusted, as paths in the folder; found by name, without reading. */
  readonly wouldLoad: readonly string[]
}

/** Whether commands run in a copy of the folder first. `wayOut`: one line, with the command to type where there is one. */
export type SandboxSupport =
  | { readonly kind: 'present' }
  | { readonly kind: 'off' }
  | { readonly kind: 'absent'; readonly reason: string; readonly wayOut: string }

export const workspaceApi = {
  /** For a folder that is trusted; found out once for each. */
  sandbox: command({ input: z.object({ folder: z.string().min(1).max(4096) }), output: returns<SandboxSupport>() }),
  /** Inspects a folder without reading anything but names. */
  inspect: command({
    input: z.object({ folder: z.string().min(1).max(4096) }),
    output: returns<{ readonly ok: true; readonly facts: FolderFacts } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  trust: command({
    input: z.object({ folder: z.string().min(1).max(4096), trusted: z.boolean() }),
    output: returns<{ readonly ok: true } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** Folders whose path begins with the typed text; `~` is the home folder. At most 50. */
  complete: command({
    input: z.object({ typed: z.string().max(4096) }),
    output: returns<{ readonly folders: readonly string[]; readonly exists: boolean }>(),
  }),
  recent: command({ input: z.object({}), output: returns<{ readonly folders: readonly string[] }>() }),
}
