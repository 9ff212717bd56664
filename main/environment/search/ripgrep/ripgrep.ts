import { sep } from 'node:path'
import type { GrepMatch } from '../../../agent/ports/execution-environment.ts'
import { EnvironmentFailure } from '../../environment-failure.ts'
import type { ProcessTable } from '../../process/process-table.ts'
import { findProgram } from '../../process/find-program.ts'
import { ownProgram } from '../../own-programs/own-programs.ts'
import { followProgram, type ProgramEnd } from '../../process/spawn-program.ts'
import { ignoredBelow, isInRepository } from '../ignore/folder-ignore-rules.ts'
import type { GrepRequest } from '../grep-in-worker.ts'
import { type IncludeRule, parseIncludeRule } from '../glob/include-rule.ts'
import { filesBeyondUtf8 } from './files-beyond-utf8.ts'
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

/**
 * Searches with ripgrep and stops it at the limit, which applies to the complete search. ripgrep's threads finish files in any order, so a
 * limited list would vary. A folder search that reaches the limit is therefore repeated by one thread, in the order of the paths.
 */
export async function grepWithRipgrep(table: ProcessTable, program: string, request: GrepRequest): Promise<Found> {
  const found = await searchOnce(table, program, request, [])
  return found.capped && request.file === null ? searchOnce(table, program, request, ['--sort', 'path']) : found
}

/** Reads ripgrep's plain lines if no context is wanted. If they are ambiguous, searches again and reads its JSON records. */
async function searchOnce(table: ProcessTable, program: string, request: GrepRequest, order: readonly string[]): Promise<Found> {
  const include = request.includePattern === null ? null : parseIncludeRule(request.includePattern)
  const isIgnored = include === null || request.file !== null ? () => false : notPicked(include, request.folder)
  const isPlain = request.file === null && request.contextLines === 0 && !request.multiline
  const limits = { timeoutMs: request.timeoutMs, ...(request.signal && { signal: request.signal }) }
  const follow = (form: readonly string[], onStdout: (bytes: Buffer) => boolean): Promise<ProgramEnd> =>
    followProgram(table, [program, ...form, ...order, ...argumentsFor(request, include)], request.folder, limits, { onStdout })
  if (isPlain) {
    const lines = createRipgrepLineReader(request.maxResults, isIgnored)
    const { exitCode } = await follow(PLAIN_LINES, lines.read)
    const { matches, isFull, isUnclear } = lines.end()
    if (exitCode !== 2 && !isUnclear) return { matches, capped: isFull }
  }
  const reader = createRipgrepReader(request.maxResults, request.contextLines, isIgnored)
  const end = await follow(['--json', ...(request.multiline ? ['--multiline', '--multiline-dotall'] : [])], reader.read)
  // Exit code 1 means no match. Exit code 2 means that a file could not be read or, without a summary, that the search never began.
  if (end.exitCode === 2 && !reader.isComplete()) throw new EnvironmentFailure('EINVAL', end.stderr.trim())
  return { matches: reader.matches(), capped: end.capped }
}

/** The options that select the searched files. */
function fileOptions({ folder }: GrepRequest, include: IncludeRule | null): readonly string[] {
  return [
    '--hidden',
    '--no-ignore-dot',
    '--no-ignore-global',
    ...(isInRepository(folder) ? [] : ['--no-require-git']),
    ...(include?.forRipgrep ?? []).flatMap((glob) => ['--glob', glob]),
    '--glob',
    '!.git',
  ]
}

/** The searched text files that are not UTF-8, as paths relative to the folder of the request. */
export async function filesToDecode(table: ProcessTable, program: string, request: GrepRequest): Promise<ReadonlySet<string>> {
  const include = request.includePattern === null ? null : parseIncludeRule(request.includePattern)
  const isIgnored = include === null || request.file !== null ? () => false : notPicked(include, request.folder)
  const paths = await filesBeyondUtf8(table, program, request, fileOptions(request, include))
  return new Set([...paths].filter((path) => !isIgnored(path)))
}

interface Found {
  readonly matches: readonly GrepMatch[]
  readonly capped: boolean
}

/**
 * Returns a test for files that must be dropped. With `-g`, ripgrep also shows ignored files that the glob matches, and the glob passed to
 * it may match more than was requested.
 */
function notPicked(include: IncludeRule, folder: string): (path: string) => boolean {
  const isIgnored = ignoredBelow(folder)
  return (path) => !include.picks(path) || isIgnored(path)
}

function argumentsFor(request: GrepRequest, include: IncludeRule | null): string[] {
  return [
    '--no-config',
    '--engine',
    'auto',
    '--crlf',
    ...fileOptions(request, include),
    request.caseSensitive ? '--case-sensitive' : '--ignore-case',
    '--context',
    String(request.contextLines),
    '--regexp',
    request.pattern,
    '--',
    `./${request.file ?? ''}`,
  ]
}
