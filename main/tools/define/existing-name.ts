import { basename, dirname, join } from 'node:path'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'

/** Whether the letters of a name can be written in more than one Unicode form, composed (é) or decomposed (e and an accent). */
export function hasTwoForms(name: string): boolean {
  return name.normalize('NFC') !== name.normalize('NFD')
}

/** Whether these are different names for the same letters. */
export function differInFormOnly(one: string, other: string): boolean {
  return one !== other && one.normalize('NFC') === other.normalize('NFC')
}

/**
 * The path of the existing file or folder that this path names, whatever the Unicode forms of its names are. A name that exists exactly as
 * given is meant. Names that do not exist, or that fit several entries, are kept.
 */
export async function existingPath(env: Entries, path: string): Promise<string> {
  const parent = dirname(path)
  if (!hasTwoForms(path) || parent === path) return path
  if ((await stat(env, path)) !== null) return path
  const folder = await existingPath(env, parent)
  return join(folder, await existingName(env, folder, basename(path)))
}

type Entries = Pick<ExecutionEnvironment, 'lstat' | 'listDirectory'>

/** The same for one name in an existing folder. */
async function existingName(env: Entries, folder: string, name: string): Promise<string> {
  if (!hasTwoForms(name) || (await stat(env, join(folder, name))) !== null) return name
  const entries = await env.listDirectory(folder).catch(() => [])
  const [found, ...others] = entries.filter((entry) => differInFormOnly(entry.name, name))
  return found === undefined || others.length > 0 ? name : found.name
}

/** Null if there is nothing with this name, or if it cannot be looked up. */
function stat(env: Entries, path: string): ReturnType<Entries['lstat']> {
  return env.lstat(path).catch(() => null)
}
