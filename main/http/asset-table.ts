import { readdir } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { type Result, failed, ok } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'

export interface Asset {
  /** Absolute path, taken from the listing and never from a request. */
  readonly file: string
  readonly type: string
  /** Named by its content, so it may be kept for ever. */
  readonly hashed: boolean
}

/** Every address that the page's server answers, made once at the start: what is not in the table does not exist (security 1, row 18). */
export type AssetTable = ReadonlyMap<string, Asset>

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Lists the built page under `folder`: `/` is its `index.html`. Symbolic links are left out. */
export async function readAssetTable(folder: string): Promise<Result<AssetTable, Trouble>> {
  const table = new Map<string, Asset>()
  for (const file of await filesUnder(folder)) {
    const path = relative(folder, file).split(sep).join('/')
    const asset = { file, type: TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream', hashed: path.startsWith('assets/') }
    table.set(path === 'index.html' ? '/' : `/${encodeURI(path)}`, asset)
  }
  if (table.has('/')) return ok(table)
  return failed({
    code: 'page_not_built',
    what: 'The window’s page has not been built.',
    kept: 'Nothing was started or changed.',
    todo: 'Run “npm run build”, then start again.',
  })
}

async function filesUnder(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
