import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import { detectedEncoding } from '../../../../shared/encodings/detect-encoding.ts'
import { encodingByMark } from '../../../../shared/lib/decode-utf8.ts'
import { readRegularFile } from '../../files/read-regular-file.ts'
import type { ProcessTable } from '../../process/process-table.ts'
import { followProgram } from '../../process/spawn-program.ts'
import type { GrepRequest } from '../grep-in-worker.ts'
import type { FileSelection } from './file-selection.ts'
import { pathFromRipgrep } from './ripgrep-json-output.ts'

/** Maximum number of files that are listed. */
const MAX_FILES = 2000

const ASCII = String.raw`[\x01-\x09\x0b-\x7f]`
const REST = String.raw`[\x80-\xbf]`
/** What follows a character that is incomplete in UTF-8. */
const END = String.raw`(?:${ASCII}|[\xc0-\xff]|$)`

/** Matches bytes that occur in no UTF-8 text: bytes that UTF-8 never uses, and characters with too few or too many bytes. */
const INVALID = `(?-u)${[
  String.raw`[\xc0\xc1\xf5-\xff]`,
  String.raw`[\xc2-\xf4]${END}`,
  String.raw`[\xe0-\xf4]${REST}${END}`,
  String.raw`[\xf0-\xf4]${REST}{2}${END}`,
  String.raw`(?:^|${ASCII})${REST}`,
  String.raw`[\xc2-\xdf]${REST}{2}`,
  String.raw`[\xe0-\xef]${REST}{3}`,
  String.raw`[\xf0-\xf4]${REST}{4}`,
].join('|')}`

/**
 * Whether the pattern can match a character beyond ASCII, or needs to pass over one. Other patterns match the same in all encodings that
 * contain ASCII.
 */
export function mayMatchBeyondAscii(pattern: string): boolean {
  const withoutEscapes = pattern.replaceAll(/\\[^\w]/gu, '')
  return /[^\0-\x7f]|\.|\[\^|\\[A-Zpsux]|\\w/u.test(withoutEscapes)
}

/** The paths of the selected text files that are not UTF-8, relative to the folder of the request. */
export async function filesBeyondUtf8(
  table: ProcessTable,
  program: string,
  { folder, file, timeoutMs, signal }: GrepRequest,
  { options, isDropped }: FileSelection,
): Promise<readonly string[]> {
  const pieces: Buffer[] = []
  const argv = ['--no-config', '--crlf', '--files-with-matches', '--null', ...options, '--regexp', INVALID, '--', `./${file ?? ''}`]
  const limits = { timeoutMs, ...(signal && { signal }) }
  await followProgram(table, [program, ...argv], folder, limits, { onStdout: (bytes) => pieces.push(bytes) > 0 })
  const listed = Buffer.concat(pieces).toString().split('\0').filter(Boolean).slice(0, MAX_FILES)
  return listed.map(pathFromRipgrep).filter((path) => !isDropped(path))
}

/** The encoding in which a file is shown, by its path relative to the folder. Null if it is UTF-8 or cannot be read. */
export async function oldEncodingOf({ folder, signal }: GrepRequest, path: string): Promise<string | null> {
  const bytes = await readRegularFile(join(folder, path), { real: true, noFollow: true, ...(signal && { signal }) }).catch(() => null)
  signal?.throwIfAborted()
  if (bytes === null) return null
  const marked = encodingByMark(bytes)
  if (marked !== 'utf-8') return marked
  return isUtf8(bytes) ? null : (detectedEncoding(bytes) ?? 'windows-1252')
}
