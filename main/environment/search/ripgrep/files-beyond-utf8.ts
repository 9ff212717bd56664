import type { ProcessTable } from '../../process/process-table.ts'
import { followProgram } from '../../process/spawn-program.ts'
import type { GrepRequest } from '../grep-in-worker.ts'
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

/** The paths of text files that are not UTF-8, relative to the folder of the request. `options`: ripgrep's options that select the files. */
export async function filesBeyondUtf8(
  table: ProcessTable,
  program: string,
  { folder, file, timeoutMs, signal }: GrepRequest,
  options: readonly string[],
): Promise<ReadonlySet<string>> {
  const pieces: Buffer[] = []
  const argv = [
    program,
    '--no-config',
    '--crlf',
    '--files-with-matches',
    '--null',
    ...options,
    '--regexp',
    INVALID,
    '--',
    `./${file ?? ''}`,
  ]
  await followProgram(
    table,
    argv as [string, ...string[]],
    folder,
    { timeoutMs, ...(signal && { signal }) },
    {
      onStdout: (bytes) => pieces.push(bytes) > 0,
    },
  )
  const paths = Buffer.concat(pieces).toString().split('\0')
  return new Set(
    paths
      .filter((path) => path !== '')
      .slice(0, MAX_FILES)
      .map(pathFromRipgrep),
  )
}
