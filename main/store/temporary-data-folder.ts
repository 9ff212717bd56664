import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A data folder for as long as somebody needs it; its real path. */
export interface TemporaryDataFolder {
  readonly path: string
  remove(): Promise<void>
}

export async function temporaryDataFolder(): Promise<TemporaryDataFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'countersign-data-')))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
}
