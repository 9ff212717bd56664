import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createSlices } from '../../../agent/event-loop-slices.ts'
import { EnvironmentFailure } from '../../environment-failure.ts'
import { type IgnoreRule, parseIgnoreRules } from '../../search/ignore/ignore-rule.ts'
import { isBelow } from './sandbox-view.ts'

/** Maximum number of places that are hidden. Each is a mount, which costs time at every start. */
const MAX_PLACES = 1_000
/** Limit in bytes of the folder that is shown in place of a denied one. */
const COVER_BYTES = 4_096
/** A name that no real file has. A pattern that matches it matches every file in the folder. */
const ANY_NAME = '\u0001'

interface Place {
  readonly path: string
  readonly isFolder: boolean
}

export interface DeniedParts {
  /** Patterns of rules for files, relative to the folder. `//` begins at the root of the disk, `~/` at the home folder. */
  readonly patterns: readonly string[]
  /** Real path of the folder that contains the files. */
  readonly source: string
  /** Real path at which commands see the folder. */
  readonly folder: string
  readonly home: string | null
  /** A file that nobody may read, which is shown in place of a denied file. */
  readonly cover: string
}

/** `arguments`: the arguments of bubblewrap that hide the places. `paths`: the places, as commands see them. */
export interface DeniedPlaces {
  readonly arguments: readonly string[]
  readonly paths: readonly string[]
}

/**
 * Makes what rules deny unreadable and unchangeable for a command, however it spells the path. It is not shown as empty, because git would
 * then consider the files deleted. Patterns for places outside the folder are covered only if they have no wildcards, or if the wildcards
 * match everything in a folder. Rejects with code `ENOCOPY` if the rules deny too many places.
 */
export async function deniedPlaces({ patterns, source, folder, home, cover }: DeniedParts): Promise<DeniedPlaces> {
  const isOutside = (pattern: string): boolean => pattern.startsWith('//') || pattern.startsWith('~/')
  const inside = await placesInside(
    source,
    patterns.filter((pattern) => !isOutside(pattern)),
  )
  const outside = patterns.filter(isOutside).flatMap((pattern) => placeOutside(pattern, home))
  const seen = inside.map(({ path, isFolder }) => ({ path: folder + path.slice(source.length), isFolder }))
  const places = outermost([...seen, ...outside])
  if (places.length > MAX_PLACES)
    throw new EnvironmentFailure(
      'ENOCOPY',
      `Rules deny ${places.length} files and folders, and at most ${MAX_PLACES} can be hidden from a command. Deny their folders instead.`,
    )
  return {
    paths: places.map(({ path }) => path),
    arguments: places.flatMap(({ path, isFolder }) =>
      isFolder ? ['--perms', '0000', '--size', String(COVER_BYTES), '--tmpfs', path] : ['--ro-bind', cover, path],
    ),
  }
}

async function placesInside(source: string, patterns: readonly string[]): Promise<readonly Place[]> {
  const isPlain = (pattern: string): boolean => /^\/?[^*?[\\!#]+\/[^*?[\\]+$/u.test(pattern) && !pattern.endsWith(' ')
  const named = patterns.filter(isPlain).flatMap((pattern) => placeAt(join(source, pattern)))
  const rules = parseIgnoreRules(patterns.filter((pattern) => !isPlain(pattern)).join('\n'))
  const found = rules.length === 0 ? [] : await placesMatching(source, rules)
  // A link out of the folder leads to files that the rule does not name, such as the system's certificates.
  return [...named, ...found].filter(({ path }) => isBelow(source, path) && path !== source)
}

/** Skips `.git`, because git commands would fail without it. */
async function placesMatching(source: string, rules: readonly IgnoreRule[]): Promise<readonly Place[]> {
  const slice = createSlices()
  const found: Place[] = []
  const waiting = ['']
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    await slice()
    for (const entry of entriesOf(join(source, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.name === '.git') continue
      if (isDenied(path, entry, rules)) found.push(...placeAt(join(source, path)))
      else if (entry.isDirectory()) waiting.push(path)
    }
  }
  return found
}

function isDenied(path: string, entry: Dirent, rules: readonly IgnoreRule[]): boolean {
  const isFolder = entry.isDirectory()
  const fits = rules.findLast((rule) => rule.matches(path, isFolder) || (isFolder && rule.matches(`${path}/${ANY_NAME}`, false)))
  return fits !== undefined && !fits.isNegated
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** The file or folder that a pattern such as `//etc/app/**` or `~/notes.txt` names. */
function placeOutside(pattern: string, home: string | null): readonly Place[] {
  const plain = pattern.replace(/\/\*{1,2}$/u, '')
  if (/[*?[\\]/u.test(plain)) return []
  if (plain.startsWith('//')) return placeAt(plain.slice(1))
  return home === null ? [] : placeAt(join(home, plain.slice(2)))
}

/** The real place, because the target of a link must be hidden. Empty if there is nothing at the path. */
function placeAt(path: string): readonly Place[] {
  try {
    const real = realpathSync(path)
    return [{ path: real, isFolder: statSync(real).isDirectory() }]
  } catch {
    return []
  }
}

/** Removes duplicates and places below other places. */
function outermost(places: readonly Place[]): readonly Place[] {
  const sorted = places.toSorted((a, b) => (`${a.path}/` < `${b.path}/` ? -1 : 1))
  const kept: Place[] = []
  for (const place of sorted) {
    const above = kept.at(-1)
    if (!above || !isBelow(above.path, place.path)) kept.push(place)
  }
  return kept
}
