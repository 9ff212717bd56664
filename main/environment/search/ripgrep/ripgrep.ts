import { sep } from 'node:path'
import type { GrepMatch } from '../../../agent/ports/execution-environment.ts'
import { EnvironmentFailure } from '../../environment-failure.ts'
import type { ProcessTable } from '../../process/process-table.ts'
import { findProgram } from '../../process/find-program.ts'
import { ownProgram } from '../../own-programs/own-programs.ts'
import { followProgram, type ProgramEnd } from '../../process/spawn-program.ts'
import type { GrepRequest } from '../grep-in-worker.ts'
import type { FileSelection } from './file-selection.ts'
import { createRipgrepLineReader, PLAIN_LINES } from './ripgrep-plain-output.ts'
import { createRipgrepReader } from './ripgrep-json-output.ts'

/**
 * The path of the bundled ripgrep, or else of the system's. Null if there is none. The program is looked up synchronously, which saves 2 ms
 * per search.
 */
export async function findRipgrep(): Promise<string | null> {
  const bundled = await import('@vscode/ripgrep').catch(() => null)
  // Programs cannot be started from inside the archive of a packed app, so they are next to it.
  const path = bundled?.rgPath.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`)
  return (path === undefined ? null : findProgram(path, undefined)) ?? ownProgram('rg')
}

interface Found {
  readonly matches: readonly GrepMatch[]
  readonly capped: boolean
}

/**
 * Searches with ripgrep and stops it at the limit, which applies to the complete search. ripgrep's threads finish files in any order, so a
 * limited list would vary. A folder search that reaches the limit is therefore repeated by one thread, in the order of the paths.
 */
export async function grepWithRipgrep(table: ProcessTable, program: string, request: GrepRequest, files: FileSelection): Promise<Found> {
  const found = await searchOnce(table, program, request, files, [])
  return found.capped && request.file === null ? searchOnce(table, program, request, files, ['--sort', 'path']) : found
}

/** Reads ripgrep's plain lines if no context is wanted. If they are ambiguous, searches again and reads its JSON records. */
async function searchOnce(
  table: ProcessTable,
  program: string,
  request: GrepRequest,
  { options, isDropped }: FileSelection,
  order: readonly string[],
): Promise<Found> {
  const args = [...order, ...options, ...patternOptions(request), '--', `./${request.file ?? ''}`]
  if (request.file === null && request.contextLines === 0 && !request.multiline) {
    const lines = createRipgrepLineReader(request.maxResults, isDropped)
    const { exitCode } = await follow(table, program, request, [...PLAIN_LINES, ...args], lines.read)
    const { matches, isFull, isUnclear } = lines.end()
    if (exitCode !== 2 && !isUnclear) return { matches, capped: isFull }
  }
  const reader = createRipgrepReader(request.maxResults, request.contextLines, isDropped)
  const end = await follow(table, program, request, [...records(request), ...args], reader.read)
  // Exit code 1 means no match. Exit code 2 means that a file could not be read or, without a summary, that the search never began.
  if (end.exitCode === 2 && !reader.isComplete()) throw new EnvironmentFailure('EINVAL', end.stderr.trim())
  return { matches: reader.matches(), capped: end.capped }
}

/** Maximum number of files that are named in one start of ripgrep. Windows allows 32,767 characters. */
const FILES_AT_ONCE = 100

/** Searches these files, which are all in this encoding, in order. `paths` are relative to the folder of the request. */
export async function grepInEncoding(
  table: ProcessTable,
  program: string,
  request: GrepRequest,
  paths: readonly string[],
  encoding: string,
): Promise<Found> {
  const reader = createRipgrepReader(request.maxResults, request.contextLines, () => false)
  const args = [...records(request), '--sort', 'path', '--encoding', encoding, ...patternOptions(request), '--']
  for (let at = 0; at < paths.length; at += FILES_AT_ONCE) {
    const named = paths.slice(at, at + FILES_AT_ONCE).map((path) => `./${path}`)
    const { capped } = await follow(table, program, request, [...args, ...named], reader.read)
    if (capped) return { matches: reader.matches(), capped }
  }
  return { matches: reader.matches(), capped: false }
}

function follow(
  table: ProcessTable,
  program: string,
  { folder, timeoutMs, signal }: GrepRequest,
  args: readonly string[],
  onStdout: (bytes: Buffer) => boolean,
): Promise<ProgramEnd> {
  return followProgram(table, [program, ...args], folder, { timeoutMs, ...(signal && { signal }) }, { onStdout })
}

const records = ({ multiline }: GrepRequest): readonly string[] => ['--json', ...(multiline ? ['--multiline', '--multiline-dotall'] : [])]

const patternOptions = ({ pattern, caseSensitive, contextLines }: GrepRequest): readonly string[] => [
  '--no-config',
  '--engine',
  'auto',
  '--crlf',
  caseSensitive ? '--case-sensitive' : '--ignore-case',
  '--context',
  String(contextLines),
  '--regexp',
  pattern,
]
