import { open } from 'node:fs/promises'
import { whyNot } from '../environment-failure.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'

/** The lines of a text file of at most `most` bytes, read piece by piece. A failure is the end of a sentence. Invalid UTF-8 becomes `U+FFFD`. */
export async function linesOfFile(path: string, most: number): Promise<Result<AsyncIterable<string>, string>> {
  try {
    const handle = await open(path)
    const stat = await handle.stat()
    const flaw = stat.isDirectory() ? 'it is a folder' : !stat.isFile() ? 'it is not a file' : stat.size > most ? tooLarge(most) : null
    if (flaw === null) return ok(handle.readLines({ encoding: 'utf8' }))
    await handle.close()
    return failed(flaw)
  } catch (error) {
    return failed(whyNot(error))
  }
}

const tooLarge = (most: number): string => `it is larger than ${Math.round(most / 1024 / 1024)} MB`
