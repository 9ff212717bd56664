import { posix } from 'node:path'
import { isInside } from '../is-inside.ts'
import type { CommandLine } from './command-line/read-command-line.ts'
import type { Disk } from './reached-files.ts'

/** Settings that make a reading git command start a program or read more settings. */
const STARTING =
  /^(?:core\.(?:fsmonitor|pager|sshcommand|hookspath|editor|worktree|gitproxy|attributesfile)|pager\.|alias\.|include|filter\.|diff\.(?:external|.*\.(?:command|textconv))|diff\.external|gpg\.|log\.showsignature|credential\.|extensions\.|uploadpack\.|interactive\.)/u
/** Maximum number of bytes of a configuration that is read. */
const MAX_SETTINGS_BYTES = 200_000

/**
 * The repository's settings that make the git commands of a line start programs, such as `core.fsmonitor`. A configuration that cannot be
 * read is listed too. Empty if no git runs, or if there is no repository in the folder: the user's own settings are not considered.
 */
export async function programsStartedByGit({ runs }: CommandLine, root: string, { env }: Disk): Promise<readonly string[]> {
  if (!runs.some(({ words }) => words[0]?.text === 'git')) return []
  const places = [...new Set(runs.flatMap(({ folders }) => folders ?? []).flatMap((folder) => upwards(posix.resolve(folder), root)))]
  const found = await Promise.all(places.map(async (folder) => settingsOf(posix.join(folder, '.git'), env)))
  return [...new Set(found.flat())]
}

/** A folder and its parents, up to the root of the workspace. */
function upwards(folder: string, root: string): readonly string[] {
  return folder === root || !isInside(root, folder) ? [root] : [folder, ...upwards(posix.dirname(folder), root)]
}

async function settingsOf(git: string, env: Disk['env']): Promise<readonly string[]> {
  try {
    const stat = await env.stat(git)
    if (stat === null) return []
    if (stat.kind !== 'folder') return ['the repository of a linked worktree']
    const names = await Promise.all(['config', 'config.worktree'].map(async (name) => namesIn(posix.join(git, name), env)))
    return names.flat().filter((name) => STARTING.test(name))
  } catch {
    return [`${git}/config`]
  }
}

/** The names of the settings in a configuration, `section.subsection.key` in lower case. */
async function namesIn(file: string, env: Disk['env']): Promise<readonly string[]> {
  if ((await env.stat(file)) === null) return []
  const text = new TextDecoder().decode(await env.readBytes(file, { maxBytes: MAX_SETTINGS_BYTES }))
  const names: string[] = []
  let section = ''
  for (const line of text.split('\n')) {
    const [, name, subsection, rest = ''] = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\](.*)$/u.exec(line) ?? []
    if (name !== undefined) section = subsection === undefined ? name : `${name}.${subsection}`
    const [, key] = /^\s*([a-z][\w-]*)/iu.exec(name === undefined ? line : rest) ?? []
    if (key !== undefined) names.push(`${section}.${key}`.toLowerCase())
  }
  return names
}
