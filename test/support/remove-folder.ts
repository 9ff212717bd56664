import { chmodSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Removes a folder of a test, even if the test has changed permission bits in it. An ordinary user cannot empty a folder of mode 000. */
export function removeFolder(folder: string): void {
  openFolders(folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
}

function openFolders(folder: string): void {
  try {
    chmodSync(folder, 0o700)
    for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) openFolders(join(folder, entry.name))
  } catch {
    // The folder is gone or belongs to another user. If it belongs to another user, removing it reports the error.
  }
}
