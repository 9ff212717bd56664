import { readFile } from 'node:fs/promises'
import { extname, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { type Result, failed, ok } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'

interface Asset {
  /** Absolute path, taken from the build's list and never from a request. */
  readonly file: string
  readonly type: string
  /** The file name contains a hash of the content, so the file may be cached forever. */
  readonly hashed: boolean
  /** The content at startup, for a file that keeps its name when the page is rebuilt. Null if the file is read at each request. */
  readonly bytes: Buffer<ArrayBuffer> | null
}

/** Every address that the page's server answers, listed once at the start; any other address gets a 404. */
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

/**
 * The list that the build writes next to the page. It contains the path of each of the page's files, relative to the page's folder and with
 * `/` as the separator.
 */
const LIST = 'asset-list.json'
/** Each path must be relative and must not lead out of the folder. */
const ASSET_LIST = z.array(z.string().refine((path) => !isAbsolute(path) && !path.split('/').includes('..')))

/**
 * Makes the table of the built page under `folder` from the build's list. `/` is the page's `index.html`. The folder is not listed
 * recursively, because inside a packaged app's archive such a listing reports folders as files.
 */
export async function readAssetTable(folder: string): Promise<Result<AssetTable, Trouble>> {
  const table = new Map<string, Asset>()
  for (const path of await listedPaths(join(folder, LIST))) {
    const type = TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream'
    const file = join(folder, path)
    const isPage = path === 'index.html'
    // Read now, because a newer page would reference scripts that are not in this table.
    const bytes = isPage ? await readFile(file) : null
    table.set(isPage ? '/' : `/${encodeURI(path)}`, { file, type, hashed: path.startsWith('assets/'), bytes })
  }
  if (table.has('/')) return ok(table)
  return failed({
    code: 'page_not_built',
    what: 'The window’s page has not been built.',
    kept: 'Nothing was started or changed.',
    todo: 'Run “npm run build”, then start again.',
  })
}

async function listedPaths(file: string): Promise<readonly string[]> {
  try {
    return ASSET_LIST.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
