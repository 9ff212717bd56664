import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
// Older versions of Node do not have `createZstdDecompress`, and importing it by name would fail before the version is checked.
import zlib from 'node:zlib'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { whyNot } from '../environment-failure.ts'

/** `unread`: the reason why the file was not read, as the end of a sentence. */
export type NotGiven = { readonly kind: 'unread'; readonly why: string } | { readonly kind: 'too_large'; readonly bytes: number }

/** Reads a file whose path the user typed on the command line. `most`: the maximum number of bytes. */
export async function readUserChosenFile(path: string, most: number): Promise<Result<Uint8Array, NotGiven>> {
  try {
    const handle = await open(path, WITHOUT_WAITING)
    try {
      const facts = await handle.stat()
      const flaw = flawOf(facts)
      if (flaw !== null) return failed({ kind: 'unread', why: flaw })
      if (facts.size > most) return failed({ kind: 'too_large', bytes: facts.size })
      return ok(await handle.readFile())
    } finally {
      await handle.close()
    }
  } catch (error) {
    return failed({ kind: 'unread', why: whyNot(error) })
  }
}

/** The size of a file in bytes and the time of its last change in ms since 1970. Null if there is no such file. */
export async function factsOfFile(path: string): Promise<{ readonly bytes: number; readonly mtimeMs: number } | null> {
  const facts = await stat(path).catch(() => null)
  return facts && { bytes: facts.size, mtimeMs: facts.mtimeMs }
}

/** The names of the regular files in a folder, sorted. Empty if there is no such folder, or it cannot be read. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).toSorted()
}

/**
 * The lines of a text file of at most `most` bytes, without `\n`, read piece by piece. A file whose name ends in `.zst` is decompressed. If
 * such a file is damaged or its text is longer, reading its lines rejects. The reason for a failure is worded as the end of a sentence.
 * Invalid UTF-8 becomes `U+FFFD`.
 */
export async function linesOfFile(path: string, most: number): Promise<Result<AsyncIterable<string>, string>> {
  try {
    const handle = await open(path, WITHOUT_WAITING)
    const stat = await handle.stat()
    const flaw = flawOf(stat) ?? (stat.size > most ? `it is larger than ${Math.round(most / 1024 / 1024)} MB` : null)
    if (flaw === null) return ok(linesOf(path.endsWith('.zst') ? decompressed(handle, most) : plain(handle)))
    await handle.close()
    return failed(flaw)
  } catch (error) {
    return failed(whyNot(error))
  }
}

/** If the reader stops early, the stream closes the file. */
async function* plain(handle: FileHandle): AsyncIterable<Buffer> {
  yield* handle.createReadStream() as AsyncIterable<Buffer>
}

async function* decompressed(handle: FileHandle, most: number): AsyncIterable<Buffer> {
  const decompress = zlib.createZstdDecompress()
  // A failure of either stream also ends the other, and is thrown by the loop below.
  pipeline(handle.createReadStream(), decompress, () => {})
  let left = most
  for await (const piece of decompress as AsyncIterable<Buffer>) {
    left -= piece.length
    if (left < 0) throw new Error(`its text is larger than ${Math.round(most / 1024 / 1024)} MB`)
    yield piece
  }
}

/** Only `\n` ends a line. Node's own reader also ends lines at characters that JSON allows inside of strings, such as `U+2028`. */
async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncIterable<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true })
    rest += text
    if (!text.includes('\n')) continue
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}

/** Opening a pipe must not wait for a writer, which may never come. Windows has neither this flag nor such pipes. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK

const flawOf = (stat: Stats): string | null => (stat.isDirectory() ? 'it is a folder' : stat.isFile() ? null : 'it is not a file')
