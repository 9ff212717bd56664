import { constants, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { whyNot } from '../environment-failure.ts'

/** `unread`: the reason why the file was not read, as the end of a sentence. */
export type NotGiven = { readonly kind: 'unread'; readonly why: string } | { readonly kind: 'too_large'; readonly bytes: number }

/** Reads a file whose path the user typed on the command line. `most`: the maximum number of bytes. */
export async function readCommandLineFile(path: string, most: number): Promise<Result<Uint8Array, NotGiven>> {
  try {
    const handle = await open(path, WITHOUT_WAITING)
    try {
      const stat = await handle.stat()
      const flaw = flawOf(stat)
      if (flaw !== null) return failed({ kind: 'unread', why: flaw })
      if (stat.size > most) return failed({ kind: 'too_large', bytes: stat.size })
      return ok(await handle.readFile())
    } finally {
      await handle.close()
    }
  } catch (error) {
    return failed({ kind: 'unread', why: whyNot(error) })
  }
}

/** The lines of a text file of at most `most` bytes, read piece by piece. A failure is the end of a sentence. Invalid UTF-8 becomes `U+FFFD`. */
export async function linesOfFile(path: string, most: number): Promise<Result<AsyncIterable<string>, string>> {
  try {
    const handle = await open(path, WITHOUT_WAITING)
    const stat = await handle.stat()
    const flaw = flawOf(stat) ?? (stat.size > most ? `it is larger than ${Math.round(most / 1024 / 1024)} MB` : null)
    if (flaw === null) return ok(handle.readLines({ encoding: 'utf8' }))
    await handle.close()
    return failed(flaw)
  } catch (error) {
    return failed(whyNot(error))
  }
}

/** Opening a pipe must not wait for a writer, which may never come. Windows has neither this flag nor such pipes. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK

const flawOf = (stat: Stats): string | null => (stat.isDirectory() ? 'it is a folder' : stat.isFile() ? null : 'it is not a file')
