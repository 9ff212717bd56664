import { decodeUtf8 } from '../../shared/lib/decode-utf8.ts'
import { join, relative } from 'node:path'
import { z } from 'zod'
import type { BlobText } from '../../shared/api/changes/changes.ts'
import type { ConfigurationChange } from '../../shared/api/workspace.ts'
import { naturalOrder } from '../../shared/lib/natural-order.ts'
import { hashOf } from '../agent/blob-hash.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { PROJECT_CONFIG_PATHS } from '../prompt/project-config-paths.ts'

/** Maximum number of files and bytes of a configuration that are read. A longer file is identified only by its size and time. */
const MAX_FILES = 200
const MAX_BYTES = 1024 * 1024
/** A file's text is stored, to show later what changed, if it has at most this many characters. */
const MAX_KEPT = 64 * 1024

const ConfigurationFile = z.object({
  /** Relative to the folder, with `/` as the separator. */
  path: z.string(),
  hash: z.string(),
  /** Null if the content is not text or is too long to keep. */
  text: z.string().nullable(),
  bytes: z.number(),
})
export type ConfigurationFile = z.infer<typeof ConfigurationFile>

/** All files in a folder that can start programs once they are loaded, sorted by path. */
export async function readConfiguration(env: ExecutionEnvironment, folder: string): Promise<readonly ConfigurationFile[]> {
  const paths = await configurationPaths(env, folder)
  return Promise.all(paths.map((path) => read(env, path, relative(folder, path).replaceAll('\\', '/'))))
}

/** The paths of the files that `readConfiguration` would read. Reads none of them. */
export async function configurationPaths(env: ExecutionEnvironment, folder: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const { path } of PROJECT_CONFIG_PATHS.executable) await addFiles(env, join(folder, path), found)
  return found.slice(0, MAX_FILES).toSorted((a, b) => naturalOrder(a, b))
}

/**
 * Adds the file at a path or, if the path is a folder, every file below it. A folder that cannot be listed counts as a file, so that it is
 * not overlooked.
 */
async function addFiles(env: ExecutionEnvironment, path: string, found: string[], depth = 0): Promise<void> {
  if (found.length > MAX_FILES || depth > 8) return
  const stat = await env.lstat(path).catch(() => null)
  if (stat === null) return
  const entries = stat.kind === 'folder' ? await env.listDirectory(path).catch(() => null) : null
  if (entries === null) found.push(path)
  else for (const { name } of entries) await addFiles(env, join(path, name), found, depth + 1)
}

async function read(env: ExecutionEnvironment, path: string, shown: string): Promise<ConfigurationFile> {
  try {
    const bytes = await env.readBytes(path, { maxBytes: MAX_BYTES })
    return { path: shown, hash: hashOf(bytes), text: keptText(bytes), bytes: bytes.length }
  } catch {
    const stat = await env.stat(path).catch(() => null)
    return { path: shown, hash: `${stat?.size} ${stat?.mtimeMs} ${stat?.inode}`, text: null, bytes: stat?.size ?? 0 }
  }
}

function keptText(bytes: Uint8Array): string | null {
  const text = decodeUtf8(bytes)
  return text === null || text.includes('\0') || text.length > MAX_KEPT ? null : text
}

/** One hash for the entire configuration. It is the same for all configurations without files. */
export const configurationHash = (files: readonly ConfigurationFile[]): string =>
  hashOf(new TextEncoder().encode(JSON.stringify(files.map(({ path, hash }) => [path, hash]))))

export function configurationChanges(
  before: readonly ConfigurationFile[],
  after: readonly ConfigurationFile[],
): readonly ConfigurationChange[] {
  const [was, is] = [byPath(before), byPath(after)]
  const paths = [...new Set([...was.keys(), ...is.keys()])].toSorted((a, b) => naturalOrder(a, b))
  return paths.flatMap((path) => {
    const [old, fresh] = [was.get(path), is.get(path)]
    return old?.hash === fresh?.hash ? [] : [{ path, before: shownText(old), after: shownText(fresh) }]
  })
}

const byPath = (files: readonly ConfigurationFile[]) => new Map(files.map((file) => [file.path, file]))

function shownText(file: ConfigurationFile | undefined): BlobText | null {
  if (!file) return null
  if (file.text !== null) return { kind: 'text', text: file.text }
  return { kind: file.bytes > MAX_KEPT ? 'too_large' : 'binary', bytes: file.bytes }
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
