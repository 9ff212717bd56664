import { posix } from 'node:path'
import { isInside } from '../../is-inside.ts'
import { type CommandPlace, type Finding, findingsOf } from './findings.ts'
import { type UsedFile, usedFiles } from './used-files.ts'
import { isSecret } from './known-places.ts'
import { onlyReads } from './only-reads.ts'
import { type CommandLine, readCommandLine } from './read-command-line.ts'
import { hasUnknownProgram, programOf, startsOf } from './started-programs.ts'

/** What the text of a command line shows about what the line does. `null` means that the line is not understood, so it may do anything. */
export interface CommandJudgement {
  /** Whether the line is proven to only read. */
  readonly reads: boolean
  readonly findings: readonly Finding[]
  /** The files that the line uses, as far as its text shows. */
  readonly files: readonly UsedFile[]
  readonly line: CommandLine
}

/** Judges a bash command line by its text. */
export function judgeCommand(command: string, place: CommandPlace): CommandJudgement | null {
  const line = readCommandLine(command, place)
  if (line === null || line.runs.some(({ words }) => hasUnknownProgram(words))) return null
  const files = line.runs.flatMap((run) => usedFiles(run, place.root))
  const reads = onlyReads(line, place.root)
  return { reads, findings: reads ? [] : line.runs.flatMap((run) => findingsOf(run, place)), files, line }
}

/** Whether a command may delete something that cannot be restored. If so, the user must hold the sign button. */
export function isDestructive(judgement: CommandJudgement | null): boolean {
  return judgement === null || judgement.findings.some(({ kind }) => kind === 'removes' || kind === 'destroys')
}

/** Whether a line that begins outside the folder does nothing there except leave with `cd`. */
export function comesBack({ line }: CommandJudgement, root: string): boolean {
  const [first, ...rest] = line.runs
  const isInsideAll = rest.every(({ folders }) => folders?.every((folder) => isInside(root, posix.resolve(folder))))
  return first?.words[0]?.text === 'cd' && first.writesTo.length === 0 && rest.length > 0 && isInsideAll
}

const HIDDEN_KEYS = 'needs keys or a sign-in that a copy hides.'
const MORE_RIGHTS = 'needs more rights than a copy gives.'
const SERVICES = 'talks to services of the system, which a copy cannot reach.'

/** Programs that cannot work in a copy, and why, as the end of a sentence that begins with the program. */
const NEEDS: ReadonlyMap<string, string> = new Map([
  ['docker', 'needs the Docker socket, and containers run outside the sandbox.'],
  ['docker-compose', 'needs the Docker socket, and containers run outside the sandbox.'],
  ['podman', 'starts containers, which run outside the sandbox.'],
  ...['ssh', 'scp', 'sftp', 'gh', 'glab', 'kubectl', 'helm', 'aws', 'gcloud', 'az', 'gpg'].map((name) => [name, HIDDEN_KEYS] as const),
  ...['sudo', 'doas', 'su', 'pkexec'].map((name) => [name, MORE_RIGHTS] as const),
  ...['systemctl', 'journalctl', 'loginctl', 'xdg-open', 'adb'].map((name) => [name, SERVICES] as const),
])

/** Whether a line names this file to read it. In a copy, it would reach the agent without a signature. */
const readsSecret = ({ path, kind, isRead }: UsedFile): boolean =>
  isRead && (isSecret(path) || (kind === 'pattern' && /(?:^|\/)\.[^/]*[*?[]/u.test(path)))

/** Why a command must not run in a copy, or cannot work there, judged by its text. Null if nothing in the text suggests that. */
export function needsMoreThanCopy({ line, files }: CommandJudgement): string | null {
  const secret = files.find((file) => readsSecret(file))
  if (secret) return `It reads ${secret.shown}, which may contain secrets, so it needs your signature first.`
  for (const { words } of line.runs)
    for (const start of startsOf(words)) {
      const program = programOf(start[0])
      const needs = program === null || asksForHelp(start.map(({ text }) => text)) ? undefined : NEEDS.get(program)
      if (needs !== undefined) return `${program} ${needs}`
    }
  return null
}

/** `docker --version` works anywhere. */
const asksForHelp = ([, ...rest]: readonly string[]): boolean =>
  rest.length > 0 && rest.every((word) => ['--version', '-v', '-V', 'version', '--help', '-h', 'help'].includes(word))
