import { wordList } from '../../shared/lib/word-list.ts'
import { Buffer } from 'node:buffer'
import { posix } from 'node:path'
import type { CommandLine } from './command-line/read-command-line.ts'
import type { Disk } from './reached-files.ts'

/**
 * Sections and keys of settings that can cause even a read-only git command to start a program, fetch missing objects, or read more
 * settings.
 */
const SECTIONS = /^(?:pager|alias|include(?:if)?|filter|gpg|credential|extensions|uploadpack|interactive|protocol)(?:\.|$)/u
const KEYS: ReadonlySet<string> = new Set(
  wordList(`
  fsmonitor pager sshcommand hookspath editor worktree gitproxy attributesfile alternaterefscommand external command textconv
  showsignature promisor partialclonefilter
`),
)
/** Maximum number of bytes of a configuration that is read. */
const MAX_SETTINGS_BYTES = 200_000
const MAX_INDEX_BYTES = 64 * 1024 * 1024
/**
 * The mode of a submodule, as its bytes appear in git's index. The index is not parsed, so a file whose size or time has the same bytes
 * counts as a submodule too.
 */
const SUBMODULE = Buffer.of(0, 0, 0xe0, 0)
/**
 * Commands that run git in each submodule, with the settings of the submodule. `git diff` also stores new file times in the index, even
 * with `GIT_OPTIONAL_LOCKS=0`, and then runs a hook.
 */
const ENTERING: ReadonlySet<string> = new Set(['status', 'diff'])

/**
 * Hooks, and places with settings, that may make the git commands of a line start programs, such as `/project/.git/config (fsmonitor)`.
 * Repositories that cannot be read are listed too. Empty if no git runs, or if there is no repository in the folder or above it: the user's
 * own settings are not considered.
 */
export async function programsStartedByGit({ runs }: CommandLine, { env }: Disk): Promise<readonly string[]> {
  const own = runs.filter(({ words }) => words[0]?.text === 'git')
  if (own.length === 0) return []
  const enters = own.some(({ words }) => ENTERING.has(words[1]?.text ?? ''))
  const places = new Set(own.flatMap(({ folders }) => folders ?? []).flatMap((folder) => upwards(posix.resolve(folder))))
  const found = await Promise.all([...places].map((folder) => startsIn(folder, env, enters)))
  return [...new Set(found.flat())]
}

/** A folder and its parents. */
const upwards = (folder: string): readonly string[] => (folder === '/' ? ['/'] : [folder, ...upwards(posix.dirname(folder))])

/** If `.git` is missing, git also treats the folder itself as a repository if it contains a repository's files. */
async function startsIn(folder: string, env: Disk['env'], enters: boolean): Promise<readonly string[]> {
  const found: string[] = []
  for (const repository of [posix.join(folder, '.git'), folder]) {
    try {
      const stat = await env.stat(repository)
      if (stat !== null && stat.kind !== 'folder') found.push('the repository of a linked worktree')
      else if (stat !== null && (repository !== folder || (await env.stat(posix.join(folder, 'HEAD'))) !== null))
        found.push(...(await startsByRepository(repository, env, enters)))
    } catch {
      found.push(`${repository}/config`)
    }
  }
  return found
}

async function startsByRepository(repository: string, env: Disk['env'], enters: boolean): Promise<readonly string[]> {
  const names = (await env.listDirectory(repository)).map(({ name }) => name)
  const found: string[] = []
  for (const name of names) {
    const file = posix.join(repository, name)
    // The settings come from the folder that this file names.
    if (name === 'commondir') found.push(file)
    else if (name === 'config' || name === 'config.worktree') {
      const text = new TextDecoder().decode(await env.readBytes(file, { maxBytes: MAX_SETTINGS_BYTES }))
      found.push(...startingSettings(text).map((setting) => `${file} (${setting})`))
    } else if (enters && name === 'hooks') {
      const hook = posix.join(file, 'post-index-change')
      if ((await env.stat(hook)) !== null) found.push(hook)
    } else if (enters && (name === 'index' || name.startsWith('sharedindex.'))) {
      const bytes = await env.readBytes(file, { maxBytes: MAX_INDEX_BYTES })
      if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(SUBMODULE)) found.push('a submodule')
    }
  }
  return found
}

/**
 * Sections and keys are not combined, so that continued lines, comments and several sections in one line cannot hide a setting. Whatever
 * looks like a section or a key counts.
 */
function startingSettings(text: string): readonly string[] {
  const sections = [...text.matchAll(/\[\s*([\w.-]+)/gu)].map(([, name = '']) => name.toLowerCase())
  const keys = [...text.matchAll(/(?:^|[\n\r\]])\s*([a-z][\w-]*)/giu)].map(([, name = '']) => name.toLowerCase())
  return [...sections.filter((name) => SECTIONS.test(name)), ...keys.filter((name) => KEYS.has(name))]
}
