import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type IgnoreRule, parseIgnoreRules } from './ignore-rule.ts'

/** What is left out of searches in one folder: its own `.gitignore` and those of the folders above it. */
export interface FolderRules {
  /** Whether a child of this folder, by its name, is left out. That the folder itself is searched is taken for granted. */
  ignores(name: string, isFolder: boolean): boolean
  /** The rules of a child folder. */
  enter(name: string): FolderRules
}

interface RulesFile {
  readonly rules: readonly IgnoreRule[]
  /** ripgrep takes some of them for something else than git does. */
  readonly isOdd: boolean
}

/** One file of rules, and the way from its folder to the folder looked at, with `/` at its end. */
interface Layer extends RulesFile {
  readonly prefix: string
}

/** Braces, and classes that do not end, or hold a named one or a backslash. */
const ODD = /^(?!#).*(?:[{}]|\[[^\]]*(?:\[:|\\|$))/mu

/**
 * The rules of a folder as ripgrep has them: in a git repository its `info/exclude` and every `.gitignore` from its root down, so that a
 * file above the repository says nothing and one inside it begins anew; outside of one every `.gitignore` from the top of the file
 * system down (T-22). `.git` itself is always left out.
 */
export function rulesOf(folder: string): FolderRules {
  const startsAnew = isInRepository(folder) ? hasRepository : () => false
  return folderRules(folder, layersOf(folder, startsAnew), startsAnew)
}

/** Whether ripgrep would leave out other files than git does, as far as the rules of `folder` and above it tell. */
export function hasOddRules(folder: string): boolean {
  return layersOf(folder, isInRepository(folder) ? hasRepository : () => false).some(({ isOdd }) => isOdd)
}

function layersOf(folder: string, startsAnew: (folder: string) => boolean): readonly Layer[] {
  const layers: Layer[] = []
  let prefix = ''
  for (let at = folder; ; at = dirname(at)) {
    for (const file of rulesIn(at)) layers.push({ ...file, prefix })
    if (dirname(at) === at || startsAnew(at)) return layers
    prefix = `${basename(at)}/${prefix}`
  }
}

/** Where nothing but a repository's own files is left out. */
export const ONLY_GIT: FolderRules = { ignores: (name) => name === '.git', enter: () => ONLY_GIT }

/** `layers` from the innermost out: the innermost that says something decides. */
function folderRules(folder: string, layers: readonly Layer[], startsAnew: (folder: string) => boolean): FolderRules {
  return {
    ignores: (name, isFolder) => name === '.git' || decides(layers, name, isFolder),
    enter(name) {
      const child = join(folder, name)
      const own = rulesIn(child).map((file) => ({ ...file, prefix: '' }))
      const outer = startsAnew(child) ? [] : layers.map((layer) => ({ ...layer, prefix: `${layer.prefix}${name}/` }))
      return folderRules(child, [...own, ...outer], startsAnew)
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

/** Whether a folder lies in a git repository, at whatever depth. */
export function isInRepository(folder: string): boolean {
  return hasRepository(folder) || (dirname(folder) !== folder && isInRepository(dirname(folder)))
}

function hasRepository(folder: string): boolean {
  return existsSync(join(folder, '.git'))
}

/** Those of a folder's `.gitignore`, then those that its repository keeps to itself, which yield to every `.gitignore`. */
function rulesIn(folder: string): readonly RulesFile[] {
  const files = [join(folder, '.gitignore'), ...(hasRepository(folder) ? [join(repositoryOf(folder), 'info/exclude')] : [])]
  return files.flatMap((file) => {
    const text = textOf(file)
    return text === null ? [] : [{ rules: parseIgnoreRules(text), isOdd: ODD.test(text) }]
  })
}

/** `.git`, or where that leads: in a further work tree and in a submodule it is a file. */
function repositoryOf(folder: string): string {
  const own = textOf(join(folder, '.git'))?.match(/^gitdir: (?<path>.*)$/mu)?.groups?.['path']
  if (own === undefined) return join(folder, '.git')
  const place = resolve(folder, own)
  return resolve(place, textOf(join(place, 'commondir'))?.trim() ?? '')
}

/** Most folders have none, and an exception for each would cost more than the search; one that cannot be read says nothing. */
function textOf(file: string): string | null {
  if (!existsSync(file)) return null
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** Entries of a folder, named from there with `/`, without what its rules leave out. */
export function unignoredBelow<E extends { readonly name: string; readonly isDir: boolean }>(
  folder: string,
  entries: readonly E[],
): readonly E[] {
  const top = rulesOf(folder)
  return entries.filter(({ name, isDir }) => {
    let rules = top
    const parts = name.split('/')
    return !parts.some((part, index) => {
      const isFolder = isDir || index < parts.length - 1
      const isOut = rules.ignores(part, isFolder)
      if (!isOut && index < parts.length - 1) rules = rules.enter(part)
      return isOut
    })
  })
}

/** Whether a search from `folder` leaves a path below it (with `/`) out. */
export function ignoredBelow(folder: string): (path: string) => boolean {
  const known = new Map<string, FolderRules | null>([['', rulesOf(folder)]])
  /** Null: the folder itself is left out. */
  const rulesFor = (path: string): FolderRules | null => {
    const found = known.get(path)
    if (found !== undefined) return found
    const [parent, name] = parted(path)
    const above = rulesFor(parent)
    const rules = !above || above.ignores(name, true) ? null : above.enter(name)
    known.set(path, rules)
    return rules
  }
  return (path) => {
    const [parent, name] = parted(path)
    return rulesFor(parent)?.ignores(name, false) ?? true
  }
}

function parted(path: string): readonly [string, string] {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? ['', path] : [path.slice(0, slash), path.slice(slash + 1)]
}
