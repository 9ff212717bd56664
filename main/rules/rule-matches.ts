import { wordList } from '../../shared/lib/word-list.ts'
import { posix } from 'node:path'
import type { Rule, RuleDraft } from '../../shared/api/rules.ts'
import type { Effect } from '../../shared/session/effects.ts'
import { repeated, CHARACTER, linearMatcher, one, optional, sequence, withStars } from '../../shared/lib/pattern/linear-matcher.ts'
import { assertNever } from '../../shared/lib/assert-never.ts'
import { isInside } from '../is-inside.ts'
import { type CommandJudgement, judgeCommand } from '../approval/command-line/judge-command.ts'
import type { Run } from '../approval/command-line/program-invocation.ts'
import {
  mayBeGitAlias,
  programOf,
  startsAnother,
  startsElsewhere,
  startsOf,
  withoutFindEnd,
  withLaterWords,
  withoutGitOptions,
} from '../approval/command-line/started-programs.ts'
import type { CommandWord } from '../approval/command-line/command-word.ts'
import { isHarmlessDevice } from '../approval/command-line/known-places.ts'
import { readPaths } from '../approval/command-line/only-reads.ts'

export interface RulePlace {
  readonly root: string
  readonly home: string | null
  /** Whether a pattern, read as a line of a `.gitignore`, matches a path relative to the folder of that `.gitignore`. */
  fitsPath(pattern: string, path: string): boolean
}

/** `origin` is absent if a rule is only tried out. */
export type RuleWhen = Pick<Rule, 'answer' | 'when'> & { readonly origin?: Rule['origin'] | 'project' }

/**
 * The first rule with this answer that applies to an effect. Null if there is none. An allow applies only if it covers the complete
 * effect.
 */
export function ruleFor<T extends RuleWhen>(effect: Effect, rules: readonly T[], answer: Rule['answer'], place: RulePlace): T | null {
  const some = rules.filter((rule) => rule.answer === answer)
  switch (effect.kind) {
    case 'command':
      return answer === 'allow' ? allowFor(effect, some, place) : (some.find((rule) => concerns(effect, rule, place)) ?? null)
    case 'write':
    case 'delete':
    case 'permissions':
    case 'link':
    case 'read':
      return some.find(({ when }) => when.kind === 'path' && fitsPath(when.pattern, effect.path, place)) ?? null
    case 'folder': {
      // A folder that is created with all its files is one effect. A deny rule for `dist/**` denies the files, so it denies the folder too.
      const paths = effect.tree && answer !== 'allow' ? [effect.path, posix.join(effect.path, ANY_NAME)] : [effect.path]
      return some.find(({ when }) => when.kind === 'path' && paths.some((path) => fitsPath(when.pattern, path, place))) ?? null
    }
    case 'network': {
      // An allow rule for `localhost` allows none of its ports, but a deny rule for `localhost` denies all of them.
      const hosts = answer === 'allow' ? [effect.host] : [effect.host, effect.host.replace(/^localhost:\d+$/u, 'localhost')]
      return some.find(({ when }) => when.kind === 'host' && hosts.some((host) => fitsHost(when.pattern, host))) ?? null
    }
    case 'unknown': {
      const { tool } = effect
      return tool ? (some.find(({ when }) => when.kind === 'tool' && fitsTool(when.pattern, tool.name, answer)) ?? null) : null
    }
    case 'mode':
    case 'question':
    case 'review':
      return null
    default:
      return assertNever(effect, 'effect')
  }
}

/** A name that no real file has. A pattern that matches it matches every file in the folder. */
const ANY_NAME = '\u0001'

type Command = Extract<Effect, { readonly kind: 'command' }>

/**
 * The rule whose pattern is exactly this line, or else the first rule that is needed for its commands. Commands that are proven to only
 * read need no rule. Null if the line is not understood, if a command is not covered, or if no rule is needed.
 */
function allowFor<T extends RuleWhen>({ command, cwd, sandbox }: Command, all: readonly T[], place: RulePlace): T | null {
  const rules = all.filter(({ when }) => when.kind !== 'command' || isForWay(when, sandbox))
  const whole = rules.find(({ when }) => when.kind === 'command' && when.pattern === command.trim())
  if (whole) return whole
  const judgement = judgeCommand(command, { ...place, cwd })
  if (judgement === null) return null
  const found = judgement.line.runs.map((run) => allowForRun(run, rules))
  return found.every((each) => each !== null) ? (found.find((each) => each !== 'reads') ?? null) : null
}

function isForWay({ inCopy, way }: Extract<RuleDraft['when'], { kind: 'command' }>, sandbox: Command['sandbox']): boolean {
  if (inCopy) return sandbox === 'copy' || sandbox === 'layer'
  return way === undefined || (way === 'confined' ? sandbox === 'confined' : sandbox === undefined)
}

/** The way in which allow rules let a command run without a copy. Null if none applies. */
export function wayByRules(effect: Command, rules: readonly RuleWhen[], place: RulePlace): 'confined' | 'open' | null {
  const { sandbox, ...command } = effect
  if (sandbox !== undefined) return null
  const by = (way: 'confined' | 'open'): readonly RuleWhen[] =>
    rules.filter(({ answer, when }) => answer === 'allow' && when.kind === 'command' && when.way === way)
  if (command.way !== 'shell' && allowFor({ ...command, sandbox: 'confined' }, by('confined'), place)) return 'confined'
  return allowFor(command, by('open'), place) ? 'open' : null
}

/**
 * Expansions in which bash evaluates the value of a variable, which may run commands: arithmetic, subscripts, offsets, `@P`, indirection.
 */
const EVALUATES = /\$\(\(|\$\[|@P\}|\$\{!|\$\{\w+(?:\[(?![@*\d]+\])|:(?![-=?+]))/u

function allowForRun<T extends RuleWhen>(run: Run, rules: readonly T[]): T | 'reads' | null {
  const isQuiet = run.sets.length === 0 && run.writesTo.every(({ text, kind }) => kind === 'literal' && isHarmlessDevice(text))
  if (!isQuiet || run.words.length === 0) return null
  if (readPaths(run.words) !== null) return 'reads'
  const words = unwrapped(run.words)
  if (words.some(({ text, kind }) => kind === 'unknown' && EVALUATES.test(text))) return null
  const isWide = (pattern: string): boolean => pattern.includes('*') && startsAnother(words)
  return rules.find(({ when }) => when.kind === 'command' && !isWide(when.pattern) && fitsWords(when.pattern, words)) ?? null
}

/** Whether a deny or ask rule concerns a line: one of its commands, a program that a command starts, or a file or host in it. */
function concerns({ command, cwd }: Command, { when }: RuleWhen, place: RulePlace): boolean {
  const judgement = judgeCommand(command, { ...place, cwd })
  if (when.kind === 'host') return hostsIn(judgement, command).some((host) => fitsHost(when.pattern, host))
  if (when.kind === 'path') {
    const paths = [...(judgement?.files ?? []).map(({ path }) => posix.resolve(path)), ...committedPaths(judgement, place.root)]
    return paths.some((path) => fitsPath(when.pattern, path, place))
  }
  // If the command line cannot be parsed, the rule applies if the line contains the pattern's text.
  if (judgement === null) return command.includes(when.pattern.replace(/(?::| )?\*$/u, ''))
  return judgement.line.runs.some(({ words }) =>
    startsOf(words).some((each) =>
      [each, byName(each), byName(withoutGitOptions(each)), byName(withoutFindEnd(each))].some((spelling) =>
        fitsWords(when.pattern, spelling),
      ),
    ),
  )
}

/** Git's subcommands that print or restore the content of earlier commits. */
const SHOW_COMMITTED: ReadonlySet<string> = new Set(
  wordList(
    'show log diff blame annotate cat-file archive grep checkout restore format-patch whatchanged stash diff-tree diff-index diff-files',
  ),
)

/** The files whose committed content git is asked for: `git show HEAD:secret/key`, `git log -p -- secret/key`. */
function committedPaths(judgement: CommandJudgement | null, root: string): readonly string[] {
  return (judgement?.line.runs ?? []).flatMap((run) =>
    startsOf(run.words).flatMap((words) => {
      const [program, subcommand, ...rest] = withoutGitOptions(words)
      if (programOf(program) !== 'git' || !SHOW_COMMITTED.has(subcommand?.text ?? '')) return []
      const paths = rest.filter(({ text: word }) => !word.startsWith('-') || word.startsWith('-L'))
      return [root, ...(run.folders ?? [])].flatMap((folder) =>
        paths.map(({ text: word }) => posix.resolve(folder, word.slice(word.lastIndexOf(':') + 1))),
      )
    }),
  )
}

/**
 * The first rule of these that may concern an effect although the text of the command does not tell: a word that the rule names is known
 * only at run time, a subcommand of git may be an alias, or another program runs elsewhere, such as in a container. Null if there is none.
 */
export function ruleThatMayConcern<T extends RuleWhen>(effect: Effect, rules: readonly T[], place: RulePlace): T | null {
  if (effect.kind !== 'command') return null
  const inGit = rules.find(({ when }) => when.kind === 'path' && effect.deniedInGit?.some((path) => fitsPath(when.pattern, path, place)))
  if (inGit) return inGit
  const judgement = judgeCommand(effect.command, { ...place, cwd: effect.cwd })
  const runs = judgement?.line.runs ?? []
  const elsewhere = runs.some(({ words }) => startsOf(words).some(startsElsewhere))
  if (elsewhere) return rules.find(({ when }) => when.kind === 'command' || when.kind === 'path') ?? null
  const starts = runs.flatMap(({ words }) => startsOf(withLaterWords(words)).map((each) => byName(withoutGitOptions(each))))
  return rules.find(({ when }) => when.kind === 'command' && starts.some((words) => mayFit(when.pattern, words))) ?? null
}

function mayFit(pattern: string, words: readonly CommandWord[]): boolean {
  const [program = '', ...named] = pattern.replace(/(?::| )\*$/u, '').split(/\s+/u)
  if (programOf(words[0]) !== program || named.length === 0) return false
  if (mayBeGitAlias(words)) return true
  const compared = named.map((name, at) => ({ name, word: words[at + 1] }))
  const isOpen = compared.some(({ word }) => word?.kind === 'unknown')
  return isOpen && compared.every(({ name, word }) => word?.kind === 'unknown' || name === word?.text || name.includes('*'))
}

const byName = ([first, ...rest]: readonly CommandWord[]): readonly CommandWord[] =>
  first === undefined ? [] : [{ ...first, text: programOf(first) ?? first.text }, ...rest]

/**
 * `npm test` matches only itself. `npm run:*` and `npm run *` match every command that begins with these words. Elsewhere `*` matches any
 * characters.
 */
function fitsWords(pattern: string, words: readonly CommandWord[]): boolean {
  const fits = matchers.get(pattern) ?? wordsMatcher(pattern)
  if (matchers.size > MAX_MATCHERS) matchers.clear()
  matchers.set(pattern, fits)
  return fits(words.map((word) => word.text).join(' '))
}

/** The matchers of the patterns used last. A rule is compared with every command. */
const matchers = new Map<string, (text: string) => boolean>()
const MAX_MATCHERS = 500

function wordsMatcher(pattern: string): (text: string) => boolean {
  const prefix = /^(.*?)(?::| )\*$/su.exec(pattern)?.[1]
  const rest = prefix === undefined ? [] : [optional(sequence([one(String.raw`\s`), repeated(CHARACTER)]))]
  return linearMatcher(sequence([withStars(prefix ?? pattern), ...rest]))
}

/** Removes a leading program that only times or limits another program, such as `timeout`. Claude Code ignores these programs too. */
function unwrapped(words: readonly CommandWord[]): readonly CommandWord[] {
  if (!['timeout', 'time', 'nice', 'nohup', 'stdbuf'].includes(programOf(words[0]) ?? '')) return words
  const at = words.findIndex(({ text }, index) => index > 0 && !/^[-+]|^\d+[smhd]?$/u.test(text))
  return at < 0 ? words : words.slice(at)
}

/** Whether one of these rules is about this file (a real path). */
export const deniesPath = (denies: readonly RuleWhen[], path: string, place: RulePlace): boolean =>
  denies.some(({ when }) => when.kind === 'path' && fitsPath(when.pattern, path, place))

/** Patterns are relative to the project. `//` begins at the root of the disk, `~/` at the home folder. */
function fitsPath(pattern: string, path: string, { root, home, fitsPath: fits }: RulePlace): boolean {
  if (pattern.startsWith('//')) return fits(pattern.slice(1), path.slice(1))
  if (pattern.startsWith('~/')) return home !== null && isInside(home, path) && fits(pattern.slice(1), posix.relative(home, path))
  return isInside(root, path) && fits(pattern, posix.relative(root, path))
}

/** `mcp__server` and `mcp__server__*` match all tools of a server. An allow must contain the server's full name. */
function fitsTool(pattern: string, name: string, answer: Rule['answer']): boolean {
  const prefix = pattern.endsWith('*') ? pattern.slice(0, -1) : null
  if (answer === 'allow' && prefix !== null && !/^mcp__.+__/u.test(prefix)) return false
  return prefix === null ? name === pattern || name.startsWith(`${pattern}__`) : name.startsWith(prefix)
}

function fitsHost(pattern: string, host: string): boolean {
  // `example.org.` is the same host as `example.org`.
  const [wanted = '', given = ''] = [pattern, host].map((each) => each.toLowerCase().replace(/\.$/u, ''))
  return wanted.startsWith('*.') ? given.endsWith(wanted.slice(1)) : given === wanted
}

/** The hosts in the addresses of a line. If the line cannot be parsed, all of its text is searched. */
function hostsIn(judgement: CommandJudgement | null, command: string): readonly string[] {
  const texts = judgement?.line.runs.flatMap(({ words }) => words.map(({ text }) => text)) ?? [command]
  const named = texts.flatMap((text) => [
    ...text.matchAll(/(?<=[\w+.-]):\/\/(?:[^@/\s]*@)?([\w.-]+)/gu),
    ...text.matchAll(/^[\w.-]+@([\w.-]+):/gu),
  ])
  return [...new Set(named.map(([, host = '']) => host))]
}
