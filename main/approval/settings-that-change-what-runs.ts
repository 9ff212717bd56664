import type { Run } from './command-line/program-run.ts'
import { programOf, startsOf } from './command-line/started-programs.ts'
import type { CommandWord } from './command-line/command-word.ts'
import { readPaths } from './read-only-programs/only-reads.ts'

/** Variables that decide what later commands run, or where. */
const VARIABLES =
  /^(?:BASH_ENV|ENV|LD_.*|DYLD_.*|PROMPT_COMMAND|HOME|PWD|CDPATH|IFS|GIT_(?!AUTHOR|COMMITTER|EDITOR|PAGER|TERMINAL|SEQUENCE).*|NODE_OPTIONS|PYTHONSTARTUP)$/u
/** Settings that a git command may have for itself without starting a program. */
const GIT_SETTINGS =
  /^(?:user\.|color\.|advice\.|commit\.gpgsign=false|init\.defaultbranch=|core\.(?:pager=(?:cat)?$|quotepath=|autocrlf=|editor=true$))/iu

/** The setting by which a command decides what runs later: a variable, or git's configuration; null: none. */
export function settingThatChangesWhatRuns({ words, sets }: Run): string | null {
  const variable = sets.find((name) => VARIABLES.test(name))
  if (variable !== undefined) return `the variable ${variable}`
  const git = startsOf(words).find(([first]) => programOf(first) === 'git')
  return git === undefined ? null : steeredByGit(git)
}

function steeredByGit([git, ...args]: readonly CommandWord[]): string | null {
  const isForeign = args.some(({ text }) => /^--(?:config-env|exec-path=|upload-pack|receive-pack|exec=)/u.test(text))
  if (isForeign || settingsOf(args).some((each) => !GIT_SETTINGS.test(each))) return "git's configuration for this command"
  if (git !== undefined && readPaths([git, ...args]) !== null) return null
  const at = args.findIndex(({ text }, index) => !text.startsWith('-') && !/^-[Cc]$/u.test(args[index - 1]?.text ?? ''))
  const [first, ...more] = args.slice(at + 1).map(({ text }) => text)
  switch (args[at]?.text) {
    case 'config':
      return readsSetting(first, more) ? null : "git's configuration"
    case 'remote':
      return first === undefined || ['-v', 'show', 'get-url'].includes(first) ? null : "git's configuration"
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
