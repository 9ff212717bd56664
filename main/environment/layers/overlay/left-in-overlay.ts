import { readdirSync } from 'node:fs'
import { createSlices } from '../../../agent/event-loop-slices.ts'
import type { StandingEntry } from '../../../agent/ports/command-copies.ts'
import type { LeftInLayer } from '../../../../shared/session/file-change.ts'
import { orNull } from '../../environment-failure.ts'
import { type EntryKind, kindOf, kindsIn, leftOutAt, sortedByPath } from '../left-out.ts'
import { parentOf } from '../reached-paths.ts'
import type { UpperEntries } from './upper-entries.ts'

interface LeftParts {
  readonly entries: UpperEntries
  /** The upper folders from which the entries were read. */
  readonly uppers: readonly string[]
  /** The real path of the folder. */
  readonly folder: string
  /** What is below the layer at these paths. Null if that is the folder. */
  readonly entriesBelow: ((paths: readonly string[]) => Promise<readonly (StandingEntry | null)[]>) | null
}

/** What the layer has changed that is not brought in. Reads only what differs from the folder. */
export async function leftInOverlay({ entries, uppers, folder, entriesBelow }: LeftParts): Promise<readonly LeftInLayer[]> {
  const slice = createSlices()
  const { files, folders, hidden } = entries
  const own = new Map<string, EntryKind | null>()
  for (const path of hidden) if (!files.has(path) && !folders.has(path)) own.set(path, null)
  for (const [path, { at, stats }] of files) own.set(path, kindOf(stats, at))
  const above = new Set([...files.keys(), ...folders.keys()].map(parentOf))
  const isEmpty = (path: string): boolean => !above.has(path) && !uppers.some((upper) => hasEntries(`${upper}/${path}`))
  for (const path of folders.keys()) if (isEmpty(path)) own.set(path, { kind: 'folder' })
  const kindBelow = kindsIn(folder)
  const found: LeftInLayer[] = []
  const special = [...own].filter(([, kind]) => kind?.kind !== 'file').map(([path]) => path)
  const standing = entriesBelow && new Map((await entriesBelow(special)).map((entry, index) => [special[index], entry]))
  for (const [path, kind] of own) {
    await slice()
    const entry = standing?.get(path)
    const below = entry === undefined ? kindBelow(path) : entry && kindOfStanding(entry)
    const left = leftOutAt(path, kind, below)
    if (left) found.push(left)
  }
  return sortedByPath(found)
}

/** Whether a folder has entries other than whiteouts. */
const hasEntries = (folder: string): boolean =>
  orNull(() => readdirSync(folder, { withFileTypes: true }))?.some((entry) => !entry.isCharacterDevice()) === true

const kindOfStanding = ({ kind }: StandingEntry): EntryKind => ({ kind: kind === 'folder' ? 'folder' : 'file' })
