import { wordList } from '../../shared/lib/word-list.ts'
import { either, linearMatcher, withStars } from '../../shared/lib/pattern/linear-matcher.ts'
import type { EnvVarPolicy } from '../agent/ports/execution-environment.ts'
import { cleanVariables } from './clean-variables.ts'
import { isSecretVariable } from './secret-variables.ts'

export interface EnvPolicyOptions {
  readonly policy: EnvVarPolicy
  /**
   * Names of variables that are passed on although the policy would remove them. `*` stands for any characters, and case is ignored. A
   * function is called for each command.
   */
  readonly allow?: readonly string[] | (() => readonly string[])
  /** Whether the command gets a terminal. */
  readonly terminal?: boolean
}

export type Variables = Readonly<Record<string, string>>

/** Variables that could make a file of the project run in every command. */
const LOADERS =
  /^(?:LD_.*|DYLD_.*|GIT_.*|BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|CDPATH|NODE_OPTIONS|PYTHONSTARTUP|PYTHONPATH|PERL5OPT|RUBYOPT|SSH_ASKPASS|LESSOPEN|LESSCLOSE|RIPGREP_CONFIG_PATH)$/i
/**
 * Whether a program of the project may set the variable for the commands that follow. Variables that would run code in each command are
 * not allowed.
 */
export const mayBeSet = (name: string): boolean => /^[A-Za-z_]\w*$/u.test(name) && !LOADERS.test(name)

/** Variables that are always passed on. */
const ALWAYS: ReadonlySet<string> = new Set(
  wordList('PATH HOME USER SHELL LANG TERM TMPDIR GOPATH CARGO_HOME NVM_DIR RUSTUP_HOME PYENV_ROOT JAVA_HOME NODE_PATH'),
)
/** Windows programs cannot start or find each other without these variables. */
const WINDOWS_NEEDS: ReadonlySet<string> = new Set(['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT'])

/**
 * The environment of a command. It starts with the variables of `parent` that the policy passes on, except those that were added when
 * Countersign was started. Countersign's settings follow: no pager, no git prompts, no update of the index by `git status`, no git editor
 * without a terminal, and a matching terminal type. The caller's variables come last and override the others.
 */
export function commandEnvironment(
  parent: NodeJS.ProcessEnv,
  options: EnvPolicyOptions,
  caller: Variables = {},
  platform: string = process.platform,
): Record<string, string> {
  const allow = typeof options.allow === 'function' ? options.allow() : options.allow
  const allowed = allow ? matcher(allow) : () => false
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(cleanVariables(parent))) {
    if (allowed(name) || passes(name, value, options.policy, platform)) kept[name] = value
  }
  return merged(platform, kept, ownSettings(options.terminal === true, platform), caller)
}

/**
 * The environment of one of the user's programs, such as the editor: the user's variables, except Countersign's own, loaders and secrets.
 */
export function personProgramEnvironment(parent: NodeJS.ProcessEnv): Record<string, string> {
  const own = Object.entries(cleanVariables(parent))
  return Object.fromEntries(own.filter(([name, value]) => passes(name, value, 'inherit_core', process.platform)))
}

/** The PATH of an environment, which is often spelled `Path` on Windows. */
export function pathIn(env: Variables): string | undefined {
  return env[pathName(env)]
}

/** The environment with its PATH, if any, replaced. */
export function withPath(env: Variables, path: string): Variables {
  return pathName(env) in env ? { ...env, [pathName(env)]: path } : env
}

const pathName = (env: Variables): string =>
  'PATH' in env ? 'PATH' : (Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH')

/** Later parts override earlier ones. On Windows, `Path` and `PATH` are one variable. If both were given, a program might see either. */
function merged(platform: string, ...parts: readonly Variables[]): Record<string, string> {
  const variables = new Map<string, readonly [string, string]>()
  for (const [name, value] of parts.flatMap((part) => Object.entries(part))) {
    variables.set(platform === 'win32' ? name.toUpperCase() : name, [name, value])
  }
  return Object.fromEntries(variables.values())
}

function passes(name: string, value: string, policy: EnvVarPolicy, platform: string): boolean {
  switch (policy) {
    case 'inherit_all':
      return true
    case 'inherit_none':
      return name.toUpperCase() === 'PATH' || (platform === 'win32' && WINDOWS_NEEDS.has(name.toUpperCase()))
    case 'inherit_core':
      return ALWAYS.has(name.toUpperCase()) || !(isSecretVariable(name, value) || LOADERS.test(name))
  }
}

function ownSettings(terminal: boolean, platform: string): Variables {
  // Git for Windows includes its own `cat`. Other programs on Windows find no `cat`.
  const quiet = { ...(platform !== 'win32' && { PAGER: 'cat' }), GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' }
  // Without a terminal, an editor would wait forever. This setting makes git say at once which option to pass instead.
  return terminal ? { ...quiet, TERM: 'xterm-256color' } : { ...quiet, GIT_EDITOR: 'false', TERM: 'dumb' }
}

function matcher(patterns: readonly string[]): (name: string) => boolean {
  return linearMatcher(either(patterns.map((pattern) => withStars(pattern))), false)
}
