import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** A window that is restored at the next start. `sessionId`: the session it showed. Null for none. */
const KeptWindow = z.object({ name: z.string().regex(/^desk-\d{1,2}$/), sessionId: z.string().max(80).nullable() })
export type KeptWindow = z.infer<typeof KeptWindow>

const KeptWindows = z.array(KeptWindow).max(16)

/** The windows that were open when the app last ended. Electron itself stores their sizes and positions by name. */
export function readKeptWindows(profile: string): readonly KeptWindow[] {
  try {
    return KeptWindows.parse(JSON.parse(readFileSync(fileIn(profile), 'utf8')))
  } catch {
    // The first start has no file, and a damaged file loses only the list of windows.
    return []
  }
}

/** Never throws: if the disk is full, the next start opens one window. */
export function keepWindows(profile: string, windows: readonly KeptWindow[]): void {
  try {
    writeFileSync(fileIn(profile), JSON.stringify(windows), { mode: 0o600 })
  } catch {
    // See above.
  }
}

const fileIn = (profile: string): string => join(profile, 'windows.json')

/** The session in the address of a page, which the page keeps up to date. Null if it shows none. */
export function sessionInAddress(url: string): string | null {
  return /#at=([\w-]{1,80})$/.exec(url)?.[1] ?? null
}
