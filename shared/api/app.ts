import { z } from 'zod'
import { command, items, returns, stream } from '../wire/contract.ts'
import type { Trouble } from '../session/events.ts'

/** What only some shells can do; a missing one makes its button absent, never broken (DESIGN §1). */
export interface Capabilities {
  readonly folderDialog: boolean
  readonly notifications: boolean
  readonly reveal: boolean
  readonly keychain: boolean
}

export interface Hello {
  readonly version: string
  readonly shell: 'desktop' | 'browser'
  readonly platform: string
  readonly home: string
  readonly capabilities: Capabilities
  /** Where the data lies, as the person would type it. */
  readonly dataFolder: string
  /** A folder given on the command line, to be opened first; else null. */
  readonly openFolder: string | null
}

/** Storage as it stands: null when everything is being saved. */
export interface StorageHealth {
  readonly trouble: Trouble | null
  readonly onDisk: number
  readonly listed: number
}

export const appApi = {
  hello: command({ input: z.object({}), output: returns<Hello>() }),
  health: stream({ input: z.object({}), item: items<StorageHealth>() }),
  /** Opens the system's folder dialog (desktop); null when nothing was chosen. */
  pickFolder: command({ input: z.object({}), output: returns<{ readonly folder: string | null }>() }),
  /** Shows a file of an open workspace in the file manager (desktop). */
  reveal: command({ input: z.object({ path: z.string().max(4096) }), output: returns<{ readonly done: boolean }>() }),
  /** Asks the system to open an https address, after main has checked it (security 1, row 15). */
  openLink: command({
    input: z.object({ url: z.string().max(2048) }),
    output: returns<{ readonly opened: boolean; readonly why: string | null }>(),
  }),
}
