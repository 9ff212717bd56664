import { existsSync, readFileSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type IgnoreRule, parseIgnoreRules } from './ignore-rule.ts'

/** The ignore rules of one folder: its own `.gitignore` and those of the folders above it. */
export interface FolderRules {
  /** Whether a child of this folder is ignored. Assumes that the folder itself is not. */
  ignores(name: string, isFolder: boolean): boolean
  /** Returns the rules of a child folder. If `readsOwn` is false, only the rules from above apply. Default: true. */
  enter(name: string, readsOwn?: boolean): FolderRules
}

interface RulesFile {
  readonly rules: readonly IgnoreRule[]
  /** Whether ripgrep reads some of the rules differently from git. */
  readonly isOdd: boolean
}

/** One file of rules, and the path from its folder to the current folder, with a final `/`. */
interface Layer extends RulesFile {
  readonly prefix: string
}

/**
 * Matches what ripgrep reads differently from git: braces, and classes that are not closed or that contain a named class or a backslash.
 */
const ODD = /^(?!#).*(?:[{}]|\[[^\]]*(?:\[:|\\|$))/mu

/**
 * The rules of a folder as ripgrep applies them. In a git repository: its `info/exclude` and every `.gitignore` from its root down (a
 * nested repository has only its own rules). Outside repositories: every `.gitignore` from the root of the file system down. `.git` is
 * always ignored. `textOf`: the text of a file of rules, by its absolute path. Default: what is on the disk.
 */
export function rulesOf(folder: string, textOf: RuleSources['textOf'] = fileText): FolderRules {
  const sources = sourcesFor(folder, textOf)
  return folderRules(folder, layersOf(folder, sources), sources)
}

interface RuleSources {
  /** Whether a folder has only its own rules, and not those of the folders above it. */
  startsAnew(folder: string): boolean
  /** Null if there is no such file. */
  textOf(file: string): string | null
}

/** Whether the rules in and above `folder` make ripgrep ignore different files than git. */
export function hasOddRules(folder: string): boolean {
  return layersOf(folder, sourcesFor(folder, fileText)).some(({ isOdd }) => isOdd)
}

const sourcesFor = (folder: string, textOf: RuleSources['textOf']): RuleSources => ({
  startsAnew: isInRepository(folder) ? hasRepository : () => false,
  textOf,
})

function layersOf(folder: string, { startsAnew, textOf }: RuleSources): readonly Layer[] {
  const layers: Layer[] = []
  let prefix = ''
  for (let at = folder; ; at = dirname(at)) {
    for (const file of rulesIn(at, textOf)) layers.push({ ...file, prefix })
    if (dirname(at) === at || startsAnew(at)) return layers
    prefix = `${basename(at)}/${prefix}`
  }
}

/** Ignores only `.git`. */
export const ONLY_GIT: FolderRules = { ignores: (name) => name === '.git', enter: () => ONLY_GIT }

/** `layers`: the innermost first. The first layer with a matching rule determines whether a name is ignored. */
function folderRules(folder: string, layers: readonly Layer[], sources: RuleSources): FolderRules {
  return {
    ignores: (name, isFolder) => name === '.git' || decides(layers, name, isFolder),
    enter(name, readsOwn = true) {
      const child = join(folder, name)
      const own = (readsOwn ? rulesIn(child, sources.textOf) : []).map((file) => ({ ...file, prefix: '' }))
      const outer = readsOwn && sources.startsAnew(child) ? [] : layers.map((layer) => ({ ...layer, prefix: `${layer.prefix}${name}/` }))
      return folderRules(child, [...own, ...outer], sources)
    },
  }
}

function decides(layers: readonly Layer[], name: string, isFolder: boolean): boolean {
  for (const { rules, prefix } of layers) {
    const last = rules.findLast((rule) => rule.matches(prefix + name, isFolder))
    if (last) return !last.isNegated
  }
  return false
}

/** Whether a folder is inside a git repository, at any depth. */
export function isInRepository(folder: string): boolean {
  return hasRepository(folder) || (dirname(folder) !== folder && isInRepository(dirname(folder)))
}

function hasRepository(folder: string): boolean {
  return existsSync(join(folder, '.git'))
}

/** A folder's `.gitignore`, then its repository's `info/exclude`, which has a lower priority. */
const filesIn = (folder: string): readonly string[] => [
  join(folder, '.gitignore'),
  ...(hasRepository(folder) ? [join(repositoryOf(folder), 'info/exclude')] : []),
]

/** Text that changes when one of a folder's own rule files (the ones that `enter` reads) changes. */
export const ownRulesStamp = (folder: string): string => filesIn(folder).map(stampOf).join(' ')

/** Stays the same as long as the files that `rulesOf` reads do not change. */
export function rulesStamp(folder: string): string {
  const stamps: string[] = []
  for (let at = folder; ; at = dirname(at)) {
    stamps.push(ownRulesStamp(at))
    if (dirname(at) === at || hasRepository(at)) return stamps.join('\n')
  }
}

/**
 * A second change soon after the first may leave the file's times the same, so for a while after a change, every call returns a different
 * stamp.
 */
function stampOf(file: string): string {
  // Most files do not exist, and an exception for each costs more than a check.
  if (!existsSync(file)) return 'none'
  const { dev, ino, size, ctimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { dev: 0, ino: 0, size: 0, ctimeMs: Infinity }
  const isFresh = Date.now() - ctimeMs < FRESH_MS
  return [dev, ino, size, ctimeMs, ...(isFresh ? [performance.now()] : [])].join(':')
}

/** Some file systems store times in steps of 2 s. */
const FRESH_MS = 2_000

/** The rules of a folder's files, in the order of `filesIn`. */
function rulesIn(folder: string, textOf: RuleSources['textOf']): readonly RulesFile[] {
  return filesIn(folder).flatMap((file) => {
    const text = textOf(file)
    return text === null ? [] : [{ rules: parseIgnoreRules(text), isOdd: ODD.test(text) }]
  })
}

/** The folder in which the repository's data is stored. In linked work trees and submodules, `.git` is a file that contains its path. */
function repositoryOf(folder: string): string {
  const own = fileText(join(folder, '.git'))?.match(/^gitdir: (?<path>.*)$/mu)?.groups?.['path']
  if (own === undefined) return join(folder, '.git')
  const place = resolve(folder, own)
  return resolve(place, fileText(join(place, 'commondir'))?.trim() ?? '')
}

/**
 * Null if the file does not exist or cannot be read. Most of them do not exist, and an exception for each would cost more than the
 * search.
 */
export function fileText(file: string): string | null {
  if (!existsSync(file)) return null
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** The entries of a folder that are not ignored. Their names are relative paths with `/` as the separator. */
export function unignoredBelow<E extends { readonly name: string; readonly isDir: boolean }>(
  folder: string,
  entries: readonly E[],
): readonly E[] {
  const isIgnored = ignoredBelow(folder)
  return entries.filter(({ name, isDir }) => !isIgnored(name, isDir))
}

/**
 * Returns a test for whether a file or folder is ignored in a search that starts at `folder`. The path is relative to `folder` and uses
 * `/`. `textOf`: as for `rulesOf`.
 */
export function ignoredBelow(folder: string, textOf?: RuleSources['textOf']): (path: string, isFolder?: boolean) => boolean {
  const known = new Map<string, FolderRules | null>([['', rulesOf(folder, textOf)]])
  /** Null if the folder itself is ignored. */
  const rulesFor = (path: string): FolderRules | null => {
    const found = known.get(path)
    if (found !== undefined) return found
    const [parent, name] = parted(path)
    const above = rulesFor(parent)
    const rules = !above || above.ignores(name, true) ? null : above.enter(name)
    known.set(path, rules)
    return rules
  }
  return (path, isFolder = false) => {
    const [parent, name] = parted(path)
    return rulesFor(parent)?.ignores(name, isFolder) ?? true
  }
}

/** Maximum number of folders that are listed to find ignored ones. */
const MAX_LISTED = 200

/**
 * Some of the ignored folders below a folder, as relative paths with `/`: those near the top whose names are plain, so that they can be used
 * in globs.
 */
export async function ignoredFoldersBelow(folder: string): Promise<readonly string[]> {
  const ignored: string[] = []
  const open = [{ path: '', rules: rulesOf(folder) }]
  for (const [listed, { path, rules }] of open.entries()) {
    if (listed === MAX_LISTED) break
    const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(() => [])
    for (const { name } of entries.filter((entry) => entry.isDirectory() && /^[\w.-]+$/u.test(entry.name))) {
      if (rules.ignores(name, true)) ignored.push(path + name)
      else open.push({ path: `${path}${name}/`, rules: rules.enter(name) })
    }
  }
  return ignored
}

/**
 * For a path below `folder`: the outermost ignored part of the path, as a line of a `.gitignore` in that folder. Null if the path is not
 * ignored, or belongs to `.git`.
 */
export function ignoredPartsBelow(folder: string): (path: string, isFolder: boolean) => string | null {
  const isIgnored = ignoredBelow(folder)
  return (path, isFolder) => {
    const parts = path.split('/')
    for (const [at, part] of parts.entries()) {
      if (part === '.git') return null
      const here = parts.slice(0, at + 1).join('/')
      if (isIgnored(here, isFolder || at < parts.length - 1)) return `/${here.replaceAll(/[*?[\\]| $/gu, String.raw`\$&`)}`
    }
    return null
  }
}

function parted(path: string): readonly [string, string] {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? ['', path] : [path.slice(0, slash), path.slice(slash + 1)]
}
