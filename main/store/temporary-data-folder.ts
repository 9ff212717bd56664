import { realpath, rm } from 'node:fs/promises'
import { openTemporaryFolder } from '../environment/temporary-folder.ts'

/** A data folder for as long as somebody needs it; its real path. */
export interface TemporaryDataFolder {
  readonly path: string
  remove(): Promise<void>
}

export async function temporaryDataFolder(): Promise<TemporaryDataFolder> {
  const path = await realpath(await openTemporaryFolder('data'))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
}
