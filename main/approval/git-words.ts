import { argumentsOf } from './option-values.ts'
import type { ShellWord } from './simple-command.ts'
import { fileTarget, folderTarget, type Target } from './target.ts'

/** A git command line taken apart: what stands before the verb, and the verb's own words. */
interface GitWords {
  /** Of `-C`, in order. */
  readonly folders: readonly ShellWord[]
  /** Of `-c`, as `key=value`. */
  readonly settings: readonly ShellWord[]
  /** It takes programs or configuration from where its words say. */
  readonly isSteered: boolean
  readonly verb: string
  readonly rest: readonly ShellWord[]
}

/** Options of git itself that take the next word. */
const VALUED: ReadonlySet<string> = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--config-env',
  '--super-prefix',
])

function gitWords(words: readonly ShellWord[]): GitWords {
  const folders: ShellWord[] = []
  const settings: ShellWord[] = []
  let isSteered = false
  let at = 0
  for (let word = words[at]; word?.text.startsWith('-'); word = words[at]) {
    const { text } = word
    const value = words[at + 1]
    if (text === '-C' && value) folders.push(value)
    if (text === '-c' && value) settings.push(value)
    if (/^--(?:git-dir|work-tree)$/u.test(text) && value) folders.push(value)
    const glued = /^--(?:git-dir|work-tree)=(.*)$/su.exec(text)?.[1]
    if (glued !== undefined) folders.push({ text: glued, expands: word.expands })
    if (/^--(?:config-env|exec-path=)/u.test(text)) isSteered = true
    at += VALUED.has(text) ? 2 : 1
  }
  return { folders, settings, isSteered, verb: words[at]?.text ?? '', rest: words.slice(at + 1) }
}

/** Settings that start no program and lead nowhere, by key; behind `=` the values of those that could. */
const PLAIN_SETTING =
  /^(?:(?:user|author|committer|color|advice|column|status|log)\.[\w.*-]+|(?:init\.defaultbranch|protocol\.version|safe\.directory|(?:commit|tag)\.gpgsign|gc\.auto|pull\.\w+|push\.(?:default|autosetupremote|followtags)|fetch\.(?:prune|prunetags|parallel)|merge\.(?:ff|conflictstyle|renames)|rebase\.\w+|i18n\.\w+)|core\.(?:quotepath|autocrlf|eol|safecrlf|filemode|ignorecase|longpaths|abbrev|precomposeunicode|untrackedcache|preloadindex|bare|compression|bigfilethreshold)|diff\.(?:renames|renamelimit|algorithm|context|noprefix|mnemonicprefix|colormoved)|http\.(?:postbuffer|lowspeedlimit|lowspeedtime|version))(?:=|$)/iu
const SILENCED =
  /^(?:core\.(?:pager|editor|askpass|fsmonitor|hookspath)|pager\.\w+|sequence\.editor|credential\.helper)=(?:cat|true|false|:|\/dev\/null|)$/iu

/** What git would be told to do by its configuration, in words; null: nothing. */
export function gitSteering(words: readonly ShellWord[]): string | null {
  const { settings, isSteered, verb, rest } = gitWords(words)
  const cloned =
    verb === 'clone' ? argumentsOf(rest, { short: 'cbouj', long: ['config', 'branch', 'origin', 'upload-pack', 'template'] }).values : []
  const own = cloned.filter(({ name }) => ['c', 'config', 'upload-pack', 'u', 'template'].includes(name))
  const asked = [...settings, ...own.map(({ word }) => word)].some(({ text }) => !isPlain(text))
  if (isSteered || asked) return "git's configuration for this command"
  return verb === 'config' && changesConfig(rest) ? "git's configuration" : null
}

const isPlain = (setting: string): boolean => PLAIN_SETTING.test(setting) || SILENCED.test(setting)

/** The command lines that git runs in a shell. */
export function gitScripts(words: readonly ShellWord[]): readonly string[] {
  const { settings, verb, rest } = gitWords(words)
  const aliases = settings.flatMap(({ text }) => /^alias\.[^=]*=!(?<line>.*)$/isu.exec(text)?.groups?.['line'] ?? [])
  if (verb === 'rebase')
    return [...aliases, ...argumentsOf(rest, { short: 'xsX', long: ['exec', 'onto', 'strategy'] }).values.flatMap(execOf)]
  const [first, ...others] = rest.filter(({ text }) => !text.startsWith('-'))
  const runs = (verb === 'submodule' && first?.text === 'foreach') || (verb === 'bisect' && first?.text === 'run')
  return runs ? [...aliases, others.map(({ text }) => text).join(' ')] : aliases
}

const execOf = ({ name, word }: { readonly name: string; readonly word: ShellWord }): readonly string[] =>
  name === 'x' || name === 'exec' ? [word.text] : []

const CONFIG = { short: 'ft', long: ['file', 'blob', 'type', 'default', 'comment', 'value', 'url'] }

/** Options count only before the first operand. */
function changesConfig(rest: readonly ShellWord[]): boolean {
  const { operands } = argumentsOf(rest, CONFIG)
  const first = operands[0] === undefined ? rest.length : rest.indexOf(operands[0])
  const { flags } = argumentsOf(rest.slice(0, first), CONFIG)
  if (flags.some((flag) => /^(?:get(?:-\w+)*|list|l)$/u.test(flag))) return false
  if (flags.some((flag) => /^(?:e|edit|add|replace-all|unset|unset-all|rename-section|remove-section)$/u.test(flag))) return true
  const verb = operands[0]?.text ?? ''
  if (/^(?:get|list)$/u.test(verb)) return false
  return /^(?:edit|set|unset|rename-section|remove-section)$/u.test(verb) || operands.length > 1 || rest.slice(first + 1).length > 0
}

/** Verbs that change nothing of the folder in which they run. */
const LOOKS: ReadonlySet<string> = new Set(
  '|status|log|diff|show|blame|branch|tag|rev-parse|rev-list|ls-files|ls-tree|ls-remote|grep|describe|shortlog|cat-file|remote|config|version|help|reflog|show-ref|for-each-ref|merge-base|name-rev|diff-tree|count-objects|check-ignore|symbolic-ref|whatchanged|var'.split(
    '|',
  ),
)

/** What git writes where its words name it, as `targetsOf`. */
export function gitTargets(words: readonly ShellWord[]): readonly Target[] {
  const { folders, verb, rest } = gitWords(words)
  const own = LOOKS.has(verb) ? [] : folders.filter(({ text }) => !/(?:^|\/)\.git\/?$/u.test(text)).map((word) => folderTarget(word))
  const { operands, values } = argumentsOf(rest, OPTIONS.get(verb) ?? { short: '', long: ['output'] })
  const outputs = values
    .filter(({ name }) => name === 'output' || name === 'output-directory' || name === 'o')
    .map(({ word }) => fileTarget(word))
  return [...own, ...outputs, ...operandsOf(verb, operands, rest)]
}

function operandsOf(verb: string, operands: readonly ShellWord[], rest: readonly ShellWord[]): readonly Target[] {
  switch (verb) {
    case 'clone':
      return operands.slice(1, 2).map((word) => folderTarget(word))
    case 'init':
      return operands.slice(0, 1).map((word) => folderTarget(word))
    case 'worktree':
      return operands[0]?.text === 'add' ? operands.slice(1, 2).map((word) => folderTarget(word)) : []
    case 'mv':
      return operands.map(fileTarget)
    case 'rm':
      return rest.some(({ text }) => text === '--cached') ? [] : operands.map(fileTarget)
    default:
      return []
  }
}

const FILES = { short: 'o', long: ['output', 'output-directory'] }
const OPTIONS: ReadonlyMap<string, { readonly short: string; readonly long: readonly string[] }> = new Map([
  ['archive', FILES],
  ['format-patch', FILES],
  ['clone', { short: 'cboujr', long: ['config', 'branch', 'origin', 'depth', 'upload-pack', 'template', 'reference', 'filter', 'jobs'] }],
  ['worktree', { short: 'bB', long: ['reason'] }],
  ['init', { short: 'b', long: ['template', 'initial-branch', 'separate-git-dir'] }],
])
