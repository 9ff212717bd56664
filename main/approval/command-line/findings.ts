import { posix } from 'node:path'
import { destructionsOf, removedBy } from './destructive-commands.ts'
import { writesUnknown } from './unknown-writes.ts'
import { isControl, liesOutside, usedFiles } from './used-files.ts'
import type { Run } from './program-invocation.ts'
import { joined } from './shell-folders.ts'
import { programOf, startsOf, subcommandOfGit } from './started-programs.ts'
import { type CommandWord, NO_HOME } from './command-word.ts'

export interface CommandPlace {
  /** The real path of the working folder. */
  readonly cwd: string
  /** Real path of the workspace folder. */
  readonly root: string
  readonly home: string | null
}

/** Something that one command of a line would do, as far as its text shows. */
export interface Finding {
  readonly kind: 'removes' | 'destroys' | 'outside' | 'control' | 'steers'
  /** What the command removes, writes or sets. Empty if known only at run time. */
  readonly what: string
  /** Position (in characters) of the outermost command that contains the finding. */
  readonly at: number
}

/** What one command of a line would do, as far as that needs a signature or is never allowed. */
export function findingsOf(run: Run, place: CommandPlace): readonly Finding[] {
  const { root } = place
  const found = (kind: Finding['kind'], what: string): Finding => ({ kind, what, at: run.at })
  const written = usedFiles(run, root).filter(({ isRead }) => !isRead)
  const steered = settingThatChangesWhatRuns(run)
  return [
    ...blockedRemovals(run, place).map((what) => found('removes', what)),
    ...destructionsOf(run).map(({ reach, operands }) =>
      found('destroys', reach === 'elsewhere' || hasUnknownTarget(run, operands) ? '' : operands.map(({ text }) => text).join(' ')),
    ),
    ...written.filter((file) => isControl(file, root)).map(({ shown }) => found('control', shown)),
    ...written.filter((file) => liesOutside(file, root)).map(({ shown }) => found('outside', shown)),
    ...(writesUnknown(run) ? [found('outside', '')] : []),
    ...(steered === null ? [] : [found('steers', steered)]),
  ]
}

const hasUnknownTarget = ({ folders }: Run, operands: Run['words']): boolean =>
  folders === null || operands.length === 0 || operands.some(({ kind }) => kind === 'unknown')

function blockedRemovals(run: Run, { root, home }: CommandPlace): readonly string[] {
  return removedBy(run).flatMap(({ text, kind }) => {
    if (kind === 'unknown') return []
    const paths = (run.folders ?? [root]).map((folder) => posix.resolve(joined(folder, emptiedFolder(text))))
    return paths.flatMap((path) => whyBlocked(path, root, home) ?? [])
  })
}

/**
 * Removing `folder/*` empties the folder, so it counts as removing `folder`. Returns this folder, and any other text unchanged.
 */
const emptiedFolder = (text: string): string => (/(?:^|\/)(?:\.\*|\*)$/u.test(text) ? text.replace(/(?:\.\*|\*)$/u, '') || '.' : text)

/** Words for `path` if it must never be removed, such as "the home folder". Otherwise null. `path`: absolute, without `.` and `..`. */
function whyBlocked(path: string, root: string, home: string | null): string | null {
  if (path === '/') return 'the whole file system'
  if (path === home || path === NO_HOME) return 'the home folder'
  if (path === root) return 'the whole folder of this session'
  return /^\.git$/iu.test(posix.basename(path)) ? "git's data, and with it the history" : null
}

/** Variables that decide what later commands run, or where. */
const VARIABLES =
  /^(?:BASH_ENV|ENV|LD_.*|DYLD_.*|PROMPT_COMMAND|HOME|PWD|CDPATH|IFS|GIT_(?!AUTHOR|COMMITTER|EDITOR|PAGER|TERMINAL|SEQUENCE).*|NODE_OPTIONS|PYTHONSTARTUP)$/u
/** Settings that may be passed to a single git command, because they start no program. */
const GIT_SETTINGS =
  /^(?:user\.|color\.|advice\.|commit\.gpgsign=false|init\.defaultbranch=|core\.(?:pager=(?:cat)?$|quotepath=|autocrlf=|editor=true$))/iu

/** The setting by which a command decides what runs later: a variable, or git's configuration. Null if there is none. */
function settingThatChangesWhatRuns({ words, sets }: Run): string | null {
  const variable = sets.find((name) => VARIABLES.test(name))
  if (variable !== undefined) return `the variable ${variable}`
  const git = startsOf(words).find(([first]) => programOf(first) === 'git')
  return git === undefined ? null : steeredByGit(git.slice(1))
}

function steeredByGit(args: readonly CommandWord[]): string | null {
  const isForeign = args.some(({ text }) => /^--(?:config-env|exec-path=|upload-pack|receive-pack|exec=)/u.test(text))
  if (isForeign || settingsOf(args).some((each) => !GIT_SETTINGS.test(each))) return "git's configuration for this command"
  const at = subcommandOfGit(args)
  const [first, ...more] = args.slice(at + 1).map(({ text }) => text)
  switch (args[at]?.text) {
    case 'config':
      return readsSetting(first, more) ? null : "git's configuration"
    case 'remote':
      return first === undefined || ['-v', '--verbose', 'show', 'get-url'].includes(first) ? null : "git's configuration"
    default:
      return null
  }
}

/** `git config name`, `git config --get name`, `git config -l`. */
function readsSetting(first: string | undefined, more: readonly string[]): boolean {
  if (first !== undefined && /^(?:--get.*|--list|-l)$/u.test(first)) return more.length < 3 && more.every((each) => !each.startsWith('-'))
  return first !== undefined && /^[a-z][\w-]*\.\S+$/iu.test(first) && more.length === 0
}

/** The values of `-c key=value`, `-ckey=value` and `--config=key=value`. */
function settingsOf(args: readonly CommandWord[]): readonly string[] {
  return args.flatMap(({ text }, at) => {
    if (text === '-c' && !['switch', 'checkout', 'branch', 'commit'].includes(args[at - 1]?.text ?? '')) return [args[at + 1]?.text ?? '']
    const value = /^(?:-c|--config=)(\w.*)$/su.exec(text)?.[1]
    return value === undefined || !value.includes('=') ? [] : [value]
  })
}
