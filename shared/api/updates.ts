import { z } from 'zod'
import type { Trouble } from '../session/events.ts'
import { command, items, returns, stream } from '../wire/contract.ts'
import type { SettingFields } from './setting-fields.ts'

/** What the app does about new versions: `install` when it quits, only `tell` the user, or do not look for them (`off`). */
export type UpdatesWanted = z.infer<(typeof SettingFields)['updates']>

/** The state of the search for new versions of the desktop app. `checkedAt`: ms since 1970. Null before the first search. */
export type UpdateState =
  /** The app does not update this installation. `why`: how it is updated instead, as a sentence. */
  | { readonly kind: 'unavailable'; readonly why: string }
  | { readonly kind: 'up_to_date'; readonly checkedAt: number | null }
  | { readonly kind: 'looking' }
  /** `by`: how the version gets installed: the app downloads it, or the user installs it with the system's package manager. */
  | { readonly kind: 'found'; readonly version: string; readonly by: 'download' | 'package' }
  | { readonly kind: 'downloading'; readonly version: string; readonly percent: number }
  /** Downloaded. The version is installed when the app quits. */
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'failed'; readonly trouble: Trouble }

const nothing = { input: z.object({}), output: returns<Record<never, never>>() }

export const updatesApi = {
  /** Sent at once and after each change. */
  state: stream({ input: z.object({}), item: items<UpdateState>() }),
  /** Looks for a new version, and downloads it if the settings say so. Answers when both are done. */
  look: command(nothing),
  /** Downloads the version that was found. */
  download: command(nothing),
  /** Quits, installs the downloaded version and starts it. Asks first if something runs. */
  restart: command(nothing),
}
