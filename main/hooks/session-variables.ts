import { randomUUID } from 'node:crypto'
import { mayBeSet } from '../environment/env-policy.ts'
import { isSecretVariable } from '../environment/secret-variables.ts'

/**
 * Maximum number of variables that hooks can set for all commands of a session, and maximum number of characters of all their values.
 * Further variables are ignored.
 */
const MAX_VARIABLES = 100
const MAX_VALUES_CHARS = 32 * 1024

/** Variables that always differ between two shells. */
const OF_THE_SHELL: ReadonlySet<string> = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD', 'CLAUDE_ENV_FILE', 'COUNTERSIGN_ENV_FILE'])

/**
 * Runs the hook ($1) with a file to which it can write `export` lines. If it wrote any, prints the environment before and after running
 * them, each time after the mark ($2). Everything runs in the same place as the hook, so it is confined if the hook is.
 */
const SCRIPT = `
file=$(mktemp) || exit 1
export CLAUDE_ENV_FILE="$file" COUNTERSIGN_ENV_FILE="$file"
sh -c "$1"
code=$?
if [ -s "$file" ]; then
  printf '\\0%s\\0' "$2"; env -0
  ( . "$file" ) >/dev/null 2>&1 && . "$file" >/dev/null 2>&1
  printf '\\0%s\\0' "$2"; env -0
fi
rm -f "$file"
exit $code
`

export interface VariablesRun {
  readonly argv: readonly [string, ...string[]]
  /** The hook's own output, and the variables that it set. `refused` lists the names that it set although hooks must not set them. */
  read(stdout: string): { readonly stdout: string; readonly set: Readonly<Record<string, string>>; readonly refused: readonly string[] }
}

/**
 * Wraps the command of a hook so that it can set variables, as Claude Code allows for SessionStart hooks: with `export` lines in the file
 * `$CLAUDE_ENV_FILE`.
 */
export function withVariables(command: string): VariablesRun {
  const mark = randomUUID()
  return {
    argv: ['sh', '-c', SCRIPT, 'hook', command, mark],
    read(all) {
      const [stdout = '', before, after] = all.split(`\0${mark}\0`)
      if (before === undefined || after === undefined) return { stdout, set: {}, refused: [] }
      const old = variablesOf(before)
      const now = variablesOf(after)
      const changed = [...now].filter(([name, value]) => old.get(name) !== value && !OF_THE_SHELL.has(name))
      const set = changed.filter(may)
      const refused = changed.filter((one) => !may(one))
      return { stdout, set: limited(set), refused: refused.map(([name]) => name) }
    },
  }
}

const may = ([name, value]: readonly [string, string]): boolean => mayBeSet(name) && !isSecretVariable(name, value)

function variablesOf(text: string): ReadonlyMap<string, string> {
  const parts = text.split('\0').filter((part) => part.includes('='))
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]))
}

function limited(variables: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  let chars = 0
  return Object.fromEntries(variables.slice(0, MAX_VARIABLES).filter(([, value]) => (chars += value.length) <= MAX_VALUES_CHARS))
}
