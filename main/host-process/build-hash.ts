import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/**
 * Identifies the code of a host process: the hash of its file. Run from the sources, there is no such file. Both sides compare the result,
 * so that a half of another build is refused.
 */
export async function buildHash(file: URL): Promise<string> {
  if (file.pathname.endsWith('.ts')) return 'sources'
  return createHash('sha256')
    .update(await readFile(fileURLToPath(file)))
    .digest('hex')
}
