import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'

/** The bytes of a file that the person named on the command line. Of one that is no file, or has more than `most` bytes, why not, as the end of a sentence. */
export async function readGivenFile(path: string, most: number): Promise<Result<Uint8Array, string>> {
  try {
    // what writes into a pipe may never come, so that nothing is waited for (Windows has no such flag, and no such pipes)
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stat = await handle.stat()
      if (!stat.isFile()) return failed('it is no file')
      if (stat.size > most) return failed(`it has ${stat.size} bytes; ${most} are taken at most`)
      return ok(await handle.readFile())
    } finally {
      await handle.close()
    }
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  }
}
