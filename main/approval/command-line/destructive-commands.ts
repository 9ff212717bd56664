import { foundRoots, programOf, startsOf } from './started-programs.ts'
import type { Run } from './program-invocation.ts'
import type { CommandWord } from './command-word.ts'

/**
 * Where the things that a command destroys are: in its operands, or elsewhere (in a history, on a server, anywhere on the machine, or
 * unknown).
 */
type Reach = 'operands' | 'elsewhere'

type Test = (args: readonly string[]) => boolean

const always: Test = () => true
const has =
  (...flags: readonly string[]): Test =>
  (args) =>
    args.some((arg) => flags.includes(arg) || flags.some((flag) => flag.startsWith('--') && arg.startsWith(`${flag}=`)))
const letter =
  (letters: string, long: string): Test =>
  (args) =>
    args.some((arg) => arg === long || (/^-[a-zA-Z]+$/u.test(arg) && [...letters].some((each) => arg.includes(each))))
const starts =
  (...words: readonly string[]): Test =>
  (args) =>
    words.every((word, at) => word.split('|').includes(args[at] ?? ''))

/**
 * Commands that delete something irrecoverably, so that the user must hold the sign button. One per line: program, reach, test. Commands
 * that are not listed are judged by the other rules.
 */
const TABLE: readonly (readonly [string, Reach, Test])[] = [
  ['rm', 'operands', always],
  ['unlink', 'operands', always],
  ['shred', 'operands', always],
  ['srm', 'operands', always],
  ['rimraf', 'operands', always],
  ['truncate', 'operands', always],
  ['dd', 'operands', (args) => args.some((arg) => arg.startsWith('of='))],
  ['find', 'operands', has('-delete')],
  ['rsync', 'operands', (args) => args.some((arg) => /^--(?:delete|remove-source-files)/u.test(arg))],
  ...['mkfs', 'mkswap', 'wipefs', 'blkdiscard', 'fdisk', 'sfdisk', 'gdisk', 'parted', 'dropdb', 'dropuser'].map(
    (name) => [name, 'elsewhere', always] as const,
  ),
  ...['shutdown', 'reboot', 'halt', 'poweroff'].map((name) => [name, 'elsewhere', always] as const),
  ['kill', 'elsewhere', has('-1')],
  ['crontab', 'elsewhere', (args) => !args.includes('-l')],
  ['git clean', 'elsewhere', (args) => letter('f', '--force')(args) && !letter('n', '--dry-run')(args)],
  ['git reset', 'elsewhere', has('--hard', '--merge', '--keep')],
  ['git checkout', 'elsewhere', (args) => args.some((arg) => ['.', '--', '-f', '--force'].includes(arg))],
  ['git restore', 'elsewhere', (args) => !has('--staged', '-S')(args) || has('--worktree', '-W')(args)],
  ['git switch', 'elsewhere', has('-f', '--force', '--discard-changes')],
  [
    'git push',
    'elsewhere',
    (args) => has('--delete', '-d', '--mirror', '--prune', '--force-with-lease')(args) || letter('f', '--force')(args),
  ],
  ['git push', 'elsewhere', (args) => args.some((arg) => /^[+:]./u.test(arg))],
  ['git branch', 'elsewhere', (args) => letter('D', '--delete')(args)],
  ['git stash', 'elsewhere', starts('drop|clear')],
  ['git reflog', 'elsewhere', starts('expire|delete')],
  ['git filter-branch', 'elsewhere', always],
  ['docker', 'elsewhere', (args) => args.includes('prune') || starts('rm|rmi')(args) || starts('volume|image|container', 'rm')(args)],
  ['docker', 'elsewhere', (args) => args.includes('down') && letter('v', '--volumes')(args)],
  ['kubectl', 'elsewhere', starts('delete')],
  ['terraform', 'elsewhere', starts('destroy')],
  ...['psql', 'mysql', 'sqlite3', 'mariadb'].map(
    (name) => [name, 'elsewhere', (args: readonly string[]) => /\b(?:drop|truncate|delete\s+from)\b/iu.test(args.join(' '))] as const,
  ),
  ...['python', 'python3', 'node', 'deno', 'bun', 'perl', 'ruby', 'php'].map(
    (name) =>
      [
        name,
        'elsewhere',
        (args: readonly string[]) => /rmtree|rmsync|\bunlink|os\.remove|\brm_rf\b|\brm\b/iu.test(args.join(' ')),
      ] as const,
  ),
]

/** Programs that remove their operands, which may be folders that no signature may remove. */
const REMOVERS: ReadonlySet<string> = new Set(['rm', 'rmdir', 'unlink', 'shred', 'srm', 'rimraf'])

export interface Destruction {
  readonly reach: Reach
  /** The operands, if they are what the command destroys. */
  readonly operands: readonly CommandWord[]
}

/** What a command deletes irrecoverably. Empty if nothing is known to be deleted. */
export function destructionsOf(run: Run): readonly Destruction[] {
  if (run.words.length === 0 || run.words[0]?.text === ':') {
    return run.writesTo.length > 0 && run.words.length > 0 ? [{ reach: 'operands', operands: run.writesTo }] : []
  }
  return startsOf(run.words).flatMap((words) => {
    const [first, ...args] = words
    const program = programOf(first)?.replace(/^mkfs\..*$/u, 'mkfs')
    if (program === undefined) return []
    const texts = args.map(({ text }) => text)
    const found = TABLE.find(([name, , test]) => applies(name, program, texts, test))
    if (!found) return []
    const isElsewhere = ELEVATING.has(programOf(run.words[0]) ?? '') || isNegated(program, texts)
    return [{ reach: isElsewhere ? 'elsewhere' : found[1], operands: destroyedBy(program, args, run) }]
  })
}

const ELEVATING: ReadonlySet<string> = new Set(['sudo', 'doas', 'pkexec', 'runuser'])

/** With `!` or `-o`, `find` may match anything. */
const isNegated = (program: string, args: readonly string[]): boolean =>
  program === 'find' && args.some((arg) => ['!', '-not', '-o', '-or'].includes(arg))

function applies(name: string, program: string, args: readonly string[], test: Test): boolean {
  const [base, subcommand] = name.split(' ')
  if (base !== program) return false
  if (subcommand === undefined) return test(args)
  const at = args.indexOf(subcommand)
  return at >= 0 && test(args.slice(at + 1))
}

/** What a command removes completely: operands of `rm` and similar programs, including operands that `xargs` gets from the pipe. */
export function removedBy(run: Run): readonly CommandWord[] {
  const starts = startsOf(run.words)
  return starts.flatMap(([first, ...args]) => {
    const program = programOf(first)
    if (program === null) return []
    const removes = args.some(({ text }) => text === '-delete') || starts.some(([each]) => REMOVERS.has(programOf(each) ?? ''))
    if (program === 'find') return removes ? (foundRoots(args) ?? []) : []
    return REMOVERS.has(program) ? destroyedBy(program, args, run) : []
  })
}

function destroyedBy(program: string, args: readonly CommandWord[], { words, input }: Run): readonly CommandWord[] {
  if (program === 'dd') return args.filter(({ text }) => text.startsWith('of=')).map((word) => ({ ...word, text: word.text.slice(3) }))
  const own = args.filter(({ text }) => !text.startsWith('-'))
  if (program === 'find') return own.slice(0, 1)
  const isFed = ['xargs', 'parallel'].includes(programOf(words[0]) ?? '')
  const piped: readonly CommandWord[] = isFed ? [...input.filter(({ text }) => !text.startsWith('-')), { text: '', kind: 'unknown' }] : []
  return [...own, ...piped]
}
