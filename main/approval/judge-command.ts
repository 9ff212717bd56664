import { posix } from 'node:path'
import { isInside } from '../is-inside.ts'
import { destructionsOf, removedBy } from './destructive-commands.ts'
import { joined } from './command-line/possible-folders.ts'
import { type CommandLine, readCommandLine } from './command-line/read-command-line.ts'
import type { Run } from './command-line/program-run.ts'
import { isNameless } from './command-line/started-programs.ts'
import { NO_HOME } from './command-line/command-word.ts'
import { isControl, liesOutside, namedFiles, type NamedFile, writesUnknown } from './named-files.ts'
import { onlyReads } from './read-only-programs/only-reads.ts'
import { settingThatChangesWhatRuns } from './settings-that-change-what-runs.ts'

export interface CommandPlace {
  /** Real path. */
  readonly cwd: string
  /** Real path of the workspace folder. */
  readonly root: string
  readonly home: string | null
}

/** What one command of a line would do, as far as its text shows. */
export interface Finding {
  readonly kind: 'removes' | 'destroys' | 'outside' | 'control' | 'steers'
  /** What it removes, writes or sets; empty: known only at run time. */
  readonly what: string
  /** The place in the line of the command that it belongs to, in characters. */
  readonly at: number
}

/** What the text of a command line shows about it. `null`: not understood, so that it may do anything. */
export interface CommandJudgement {
  /** Proven to read and do nothing else. */
  readonly reads: boolean
  readonly findings: readonly Finding[]
  /** The files that it names. */
  readonly files: readonly NamedFile[]
  readonly line: CommandLine
}

/** Judges a bash command line by its text. */
export function judgeCommand(command: string, place: CommandPlace): CommandJudgement | null {
  const line = readCommandLine(command, place)
  if (line === null || line.runs.some(({ words }) => isNameless(words))) return null
  const files = line.runs.flatMap((run) => namedFiles(run, place.root))
  const reads = onlyReads(line, place.root)
  return { reads, findings: reads ? [] : line.runs.flatMap((run) => findingsOf(run, place)), files, line }
}

/** Whether a command may delete what cannot be restored, so that its signature must be held. */
export function isDestructive(command: string, place: CommandPlace): boolean {
  const judgement = judgeCommand(command, place)
  return judgement === null || judgement.findings.some(({ kind }) => kind === 'removes' || kind === 'destroys')
}

/** Whether a line that begins outside the folder does nothing there but leave. */
export function comesBack({ line }: CommandJudgement, root: string): boolean {
  const [first, ...rest] = line.runs
  const isInsideAll = rest.every(({ folders }) => folders?.every((folder) => isInside(root, posix.resolve(folder))))
  return first?.words[0]?.text === 'cd' && first.writesTo.length === 0 && rest.length > 0 && isInsideAll
}

function findingsOf(run: Run, place: CommandPlace): readonly Finding[] {
  const { root } = place
  const found = (kind: Finding['kind'], what: string): Finding => ({ kind, what, at: run.at })
  const written = namedFiles(run, root).filter(({ isRead }) => !isRead)
  const steered = settingThatChangesWhatRuns(run)
  return [
    ...removals(run, place).map((what) => found('removes', what)),
    ...destructionsOf(run).map(({ reach, operands }) =>
      found('destroys', reach === 'elsewhere' || isUntold(run, operands) ? '' : operands.map(({ text }) => text).join(' ')),
    ),
    ...written.filter((file) => isControl(file, root)).map(({ shown }) => found('control', shown)),
    ...written.filter((file) => liesOutside(file, root)).map(({ shown }) => found('outside', shown)),
    ...(writesUnknown(run) ? [found('outside', '')] : []),
    ...(steered === null ? [] : [found('steers', steered)]),
  ]
}

const isUntold = ({ folders }: Run, operands: Run['words']): boolean =>
  folders === null || operands.length === 0 || operands.some(({ kind }) => kind === 'unknown')

function removals(run: Run, { root, home }: CommandPlace): readonly string[] {
  return removedBy(run).flatMap(({ text, kind }) => {
    if (kind === 'unknown') return []
    const paths = (run.folders ?? [root]).map((folder) => posix.resolve(joined(folder, wholeOf(text))))
    return paths.flatMap((path) => barOf(path, root, home) ?? [])
  })
}

/** The folder that `folder/*` empties. */
const wholeOf = (text: string): string => (/(?:^|\/)(?:\.\*|\*)$/u.test(text) ? text.replace(/(?:\.\*|\*)$/u, '') || '.' : text)

/** Names what `path` is if no signature allows removing it, else null. `path`: absolute, without `.` and `..`. */
function barOf(path: string, root: string, home: string | null): string | null {
  if (path === '/') return 'the whole file system'
  if (path === home || path === NO_HOME) return 'the home folder'
  if (path === root) return 'the whole folder of this session'
  return /^\.git$/iu.test(posix.basename(path)) ? "git's data, and with it the history" : null
}
