import { z } from 'zod'
import type { Trouble } from '../session/events.ts'
import { command, items, returns, stream } from '../wire/contract.ts'
import type { SettingFields } from './setting-fields.ts'

/** What happens with new versions: they are installed when the app quits, they are only named, or nobody looks for them. */
export type UpdatesWanted = z.infer<(typeof SettingFields)['updates']>

/** New versions of the desktop app. `checkedAt`: ms since 1970. Null if nobody has looked since the start. */
export type UpdateState =
  /** This installation is not updated by the app. `why` says how it is. */
  | { readonly kind: 'unavailable'; readonly why: string }
  | { readonly kind: 'up_to_date'; readonly checkedAt: number | null }
  | { readonly kind: 'looking' }
  /** `package`: the system's package manager installs it. */
  | { readonly kind: 'found'; readonly version: string; readonly by: 'download' | 'package' }
  | { readonly kind: 'downloading'; readonly version: string; readonly percent: number }
  /** It is installed when the app quits. */
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'failed'; readonly trouble: Trouble }

const nothing = { input: z.object({}), output: returns<Record<never, never>>() }

export const updatesApi = {
  /** Sent at once and after each change. */
  state: stream({ input: z.object({}), item: items<UpdateState>() }),
  /** Looks for a new version, and downloads it if the settings say so. Answers when that has ended. */
  look: command(nothing),
  /** Downloads the version that was found. */
  download: command(nothing),
  /** Quits, installs the downloaded version and starts it. Asks first if something runs. */
  restart: command(nothing),
}
