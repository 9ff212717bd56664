import { join } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { readFrontMatter } from './front-matter.ts'

/** Maximum number of files in a folder of rules, and maximum depth of subfolders. */
const MAX_RULE_FILES = 64
const MAX_LEVELS = 4

/** The Markdown files in a folder of rules, sorted by name; empty if there is no such folder. Does not read the files. */
export async function rulePaths(env: ExecutionEnvironment, folder: string): Promise<readonly string[]> {
  const found: string[] = []
  const walk = async (at: string, level: number): Promise<void> => {
    const entries = (await env.stat(at))?.kind === 'folder' ? await env.listDirectory(at) : []
    for (const { name, isDir } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (isDir && level < MAX_LEVELS) await walk(join(at, name), level + 1)
      else if (!isDir && name.endsWith('.md')) found.push(join(at, name))
    }
  }
  await walk(folder, 0).catch(() => {})
  return found.slice(0, MAX_RULE_FILES)
}

/**
 * The text of a rule for the model. If the rule has `paths`, the text says to which files it applies. Front matter that cannot be parsed
 * is left unchanged.
 */
export async function ruleText(text: string): Promise<string> {
  const read = await readFrontMatter(text)
  if (!read.ok || read.value.fields === null) return text
  const { paths } = read.value.fields
  const globs = (Array.isArray(paths) ? paths.map(String) : typeof paths === 'string' ? paths.split(',') : [])
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '')
  return globs.length === 0 ? read.value.body : `[Only for files that match: ${globs.join(', ')}]\n${read.value.body}`
}
