import { readFile } from 'node:fs/promises'
import type { AssetTable } from './asset-table.ts'
import { NONCE_PLACEHOLDER, freshNonce, securityHeaders } from './content-security.ts'

export interface PageResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

/**
 * Answers a request for one address of the page. `path` is looked up as received, undecoded, and never becomes part of a file path, so
 * path traversal is impossible. Each response has its own nonce, which the page passes to code that inserts styles.
 */
export async function pageResponse(table: AssetTable, path: string, shell: 'desktop' | 'browser'): Promise<PageResponse> {
  const nonce = freshNonce()
  const headers = securityHeaders(shell, nonce)
  const asset = table.get(path)
  const bytes = asset ? (asset.bytes ?? (await readOrNull(asset.file))) : null
  if (!asset || !bytes) return plain(404, 'There is nothing here.', headers)
  const isPage = asset.type.startsWith('text/html')
  return {
    status: 200,
    headers: { ...headers, 'content-type': asset.type, 'cache-control': asset.hashed ? 'public, max-age=31536000, immutable' : 'no-store' },
    body: isPage ? Uint8Array.from(Buffer.from(bytes.toString().replaceAll(NONCE_PLACEHOLDER, nonce))) : bytes,
  }
}

/** A response whose body is one sentence. `headers`: the headers that every response has. */
export function plain(status: number, text: string, headers: Readonly<Record<string, string>>): PageResponse {
  return {
    status,
    headers: { ...headers, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    body: Uint8Array.from(Buffer.from(`${text}\n`)),
  }
}

/** Null if the file has been removed since the table was made, for example by a new build. */
async function readOrNull(file: string): Promise<Buffer<ArrayBuffer> | null> {
  try {
    return await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
