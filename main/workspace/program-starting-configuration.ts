import { decodeUtf8 } from '../../shared/lib/decode-utf8.ts'
import { join, relative } from 'node:path'
import { z } from 'zod'
import type { BlobText } from '../../shared/api/changes/changes.ts'
import type { ConfigurationChange } from '../../shared/api/workspace.ts'
import { naturalOrder } from '../../shared/lib/natural-order.ts'
import { hashInSlices, hashOf } from '../agent/blob-hash.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { lookAheadInProject } from '../prompt/look-ahead-in-project.ts'
import { PROJECT_CONFIG_PATHS } from '../prompt/project-config-paths.ts'
import { groupedCount } from '../../shared/lib/short-count.ts'

/** Maximum number of files and folders. A configuration with more cannot be checked, and therefore always counts as changed. */
const MAX_ENTRIES = 5_000
/** A longer file cannot be checked, and therefore always counts as changed. */
const MAX_BYTES = 64 * 1024 * 1024
/** A file's text is stored, to show later what changed, if it has at most this many characters. */
const MAX_KEPT = 64 * 1024
/** Maximum number of characters of all stored texts together. Files in `PROJECT_CONFIG_PATHS` itself are always stored. */
const MAX_KEPT_IN_TOTAL = 4 * 1024 * 1024
/** In place of the hash of something that cannot be checked. It equals no hash, not even itself. */
const UNCHECKED = 'unchecked'

const ConfigurationFile = z.object({
  /** Relative to the folder, with `/` as the separator. */
  path: z.string(),
  hash: z.string(),
  /** Null if the content is not text or is too long to keep. */
  text: z.string().nullable(),
  /** Set if the text was not kept, because too much other text was kept. */
  isLeftOut: z.literal(true).optional(),
  bytes: z.number(),
})
export type ConfigurationFile = z.infer<typeof ConfigurationFile>

/**
 * All files in a folder that can start programs once they are loaded, sorted by path. Links are followed. If there are too many files, the
 * result is one entry that always counts as changed and whose text says so.
 */
export async function readConfiguration(env: ExecutionEnvironment, folder: string): Promise<readonly ConfigurationFile[]> {
  await lookAheadInProject(env, folder)
  const { files, tooMany } = await found(env, folder)
  const shown = (path: string): string => relative(folder, path).replaceAll('\\', '/')
  if (tooMany !== null) return [unchecked(shown(tooMany), TOO_MANY)]
  const read: ConfigurationFile[] = []
  let kept = 0
  // One after another, so that memory never holds more than one file.
  for (const path of files) {
    const file = await readOne(env, path, shown(path))
    const isLeftOut = file.text !== null && kept + file.text.length > MAX_KEPT_IN_TOTAL && !OWN_FILES.has(file.path)
    read.push(isLeftOut ? { ...file, text: null, isLeftOut } : file)
    if (!isLeftOut) kept += file.text?.length ?? 0
  }
  return read.toSorted((a, b) => naturalOrder(a.path, b.path))
}

/** The paths of the files that `readConfiguration` would read. Reads none of them. */
export async function configurationPaths(env: ExecutionEnvironment, folder: string): Promise<readonly string[]> {
  return (await found(env, folder)).files
}

const OWN_FILES: ReadonlySet<string> = new Set<string>(PROJECT_CONFIG_PATHS.executable.map(({ path }) => path))

const TOO_MANY = `This folder is not trusted, because the files that can start programs are too many to check: there are more than ${groupedCount(MAX_ENTRIES)} files and folders. Move the files that are not needed to another place.\n`
const TOO_LONG = `This folder is not trusted, because this file is too long to check: it has more than ${MAX_BYTES / 1024 / 1024} MB. Move it to another place.\n`

const unchecked = (path: string, text: string): ConfigurationFile => ({ path, hash: UNCHECKED, text, bytes: text.length })

interface Found {
  readonly files: string[]
  entries: number
}

/** `tooMany`: the path of `PROJECT_CONFIG_PATHS` at which the search was given up. Null if all files were found. */
async function found(
  env: ExecutionEnvironment,
  folder: string,
): Promise<{ readonly files: readonly string[]; readonly tooMany: string | null }> {
  const all: Found = { files: [], entries: 0 }
  for (const { path } of PROJECT_CONFIG_PATHS.executable) {
    await addFiles(env, join(folder, path), all, [])
    if (all.entries > MAX_ENTRIES) return { files: all.files, tooMany: join(folder, path) }
  }
  return { files: all.files.toSorted((a, b) => naturalOrder(a, b)), tooMany: null }
}

/**
 * Adds the file at a path or, if the path is a folder, every file below it. A folder that cannot be listed counts as a file, so that it is
 * not overlooked. `above`: the real paths of the folders that contain it, to which a link may lead back.
 */
async function addFiles(env: ExecutionEnvironment, path: string, all: Found, above: readonly string[]): Promise<void> {
  if (all.entries > MAX_ENTRIES) return
  const stat = (await env.stat(path).catch(() => null)) ?? (await env.lstat(path).catch(() => null))
  if (stat === null) return
  all.entries++
  if (stat.kind !== 'folder') return void all.files.push(path)
  const real = await env.realpath(path).catch(() => path)
  if (above.includes(real)) return
  const entries = await env.listDirectory(path).catch(() => null)
  if (entries === null) return void all.files.push(path)
  if (all.entries + entries.length > MAX_ENTRIES) all.entries += entries.length
  for (const { name } of entries) await addFiles(env, join(path, name), all, [...above, real])
}

async function readOne(env: ExecutionEnvironment, path: string, shown: string): Promise<ConfigurationFile> {
  try {
    const bytes = await env.readBytes(path, { maxBytes: MAX_BYTES })
    return { path: shown, hash: await hashInSlices(bytes), text: keptText(bytes), bytes: bytes.length }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EFBIG') return unchecked(shown, TOO_LONG)
    const stat = await env.stat(path).catch(() => null)
    return { path: shown, hash: `${stat?.size} ${stat?.mtimeMs} ${stat?.inode}`, text: null, bytes: stat?.size ?? 0 }
  }
}

function keptText(bytes: Uint8Array): string | null {
  if (bytes.length > MAX_KEPT * MAX_UTF8_BYTES) return null
  const text = decodeUtf8(bytes)
  return text === null || text.includes('\0') || text.length > MAX_KEPT ? null : text
}

/** Maximum number of bytes of a UTF-16 code unit in UTF-8. */
const MAX_UTF8_BYTES = 3

/** One hash for the entire configuration. It is the same for all configurations without files. */
export const configurationHash = (files: readonly ConfigurationFile[]): string =>
  hashOf(new TextEncoder().encode(JSON.stringify(files.map(({ path, hash }) => [path, hash]))))

/** The files that differ. If something cannot be checked, only that is returned, because it must be mended first. */
export function configurationChanges(
  before: readonly ConfigurationFile[],
  after: readonly ConfigurationFile[],
): readonly ConfigurationChange[] {
  const uncheckable = after.filter(({ hash }) => hash === UNCHECKED)
  if (uncheckable.length > 0) return uncheckable.map((file) => ({ path: file.path, before: null, after: shownText(file) }))
  const was = byPath(before)
  const is = byPath(after)
  const paths = [...new Set([...was.keys(), ...is.keys()])].toSorted((a, b) => naturalOrder(a, b))
  return paths.flatMap((path) => {
    const old = was.get(path)
    const fresh = is.get(path)
    return old?.hash === fresh?.hash ? [] : [{ path, before: shownText(old), after: shownText(fresh) }]
  })
}

const byPath = (files: readonly ConfigurationFile[]) => new Map(files.map((file) => [file.path, file]))

function shownText(file: ConfigurationFile | undefined): BlobText | null {
  if (!file) return null
  if (file.text !== null) return { kind: 'text', text: file.text }
  return { kind: file.isLeftOut || file.bytes > MAX_KEPT ? 'too_large' : 'binary', bytes: file.bytes }
}

/** Parses the stored form. A form that can no longer be parsed counts as no configuration, so that everything is shown as new. */
export function parseConfiguration(stored: string | null): readonly ConfigurationFile[] {
  if (stored === null) return []
  try {
    return z.array(ConfigurationFile).parse(JSON.parse(stored))
  } catch {
    return []
  }
}
