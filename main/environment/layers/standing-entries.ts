import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { mapAtOnce } from '../../../shared/lib/map-at-once.ts'
import type { Layers } from '../../agent/ports/layers.ts'
import { entryAt } from '../copy/changes/folder-entries.ts'
import { reachedFrom } from './reached-paths.ts'

/** Number of entries that are read at the same time. Each waits for the disk most of the time. */
const AT_ONCE = 8

/** What a folder contains now at these relative paths, in their order. Null for paths below a link. */
export async function standingEntries(folder: string, paths: readonly string[]): ReturnType<Layers['entriesOf']> {
  const isReached = reachedFrom(folder)
  const entries = await mapAtOnce(paths, AT_ONCE, async (path) => (isReached(path) ? entryAt(join(folder, path)) : null))
  return { entries, device: String((await stat(folder, { bigint: true })).dev) }
}
