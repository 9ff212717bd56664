import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { whyNot } from '../environment-failure.ts'

/** `unread`: why not, as the end of a sentence. */
export type NotGiven = { readonly kind: 'unread'; readonly why: string } | { readonly kind: 'too_large'; readonly bytes: number }

/** The bytes of a file that the person named on the command line, of at most `most` bytes. */
export async function readCommandLineFile(path: string, most: number): Promise<Result<Uint8Array, NotGiven>> {
  try {
    // Opening a pipe must not wait for its writer, who may never come. Windows has neither this flag nor such pipes.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stat = await handle.stat()
      if (stat.isDirectory()) return failed({ kind: 'unread', why: 'it is a folder' })
      if (!stat.isFile()) return failed({ kind: 'unread', why: 'it is not a file' })
      if (stat.size > most) return failed({ kind: 'too_large', bytes: stat.size })
      return ok(await handle.readFile())
    } finally {
      await handle.close()
    }
  } catch (error) {
    return failed({ kind: 'unread', why: whyNot(error) })
  }
}
