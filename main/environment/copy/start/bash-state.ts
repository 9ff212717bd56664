import { constants } from 'node:fs'
import { mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MARKER_VARIABLE } from '../../process/process-marker.ts'
import type { BashState } from '../../../agent/ports/command-copies.ts'
import type { Layer } from '../overlay-layer.ts'

/** The place where a command finds the previous state and leaves its own. */
export const STATE_INSIDE = '/run/countersign-state'
/** Maximum number of bytes of a state. A larger state is not kept. */
const MAX_STATE_BYTES = 4 * 1024 ** 2

/** Bash's own variables, and variables that each start sets again. */
const OWN = [
  'BASH*',
  'SHELLOPTS',
  'UID',
  'EUID',
  'PPID',
  'GROUPS',
  'DIRSTACK',
  'FUNCNAME',
  'PIPESTATUS',
  'RANDOM',
  'SRANDOM',
  'SECONDS',
  'LINENO',
  'EPOCH*',
  'HISTCMD',
  'COMP_*',
  'COPROC*',
  'PWD',
  'SHLVL',
  'IFS',
  'TMPDIR',
  'COLUMNS',
  'LINES',
  'TERM',
  '_',
  '__countersign*',
  '*_PROXY',
  '*_proxy',
  MARKER_VARIABLE,
].join('|')

/**
 * Restores the previous state, runs the command (the first argument), and saves the new state. The options of `shopt` come first, because
 * bash can parse some functions only with `extglob`. Aliases come last, because they would change the lines after them. Tracing is switched
 * on inside `eval`, because otherwise the switch would be visible in the output. A command that ends the shell (`exit`) leaves no state.
 */
export const WITH_STATE = `
__countersign=$1; set --; shopt -s expand_aliases
[ ! -r ${STATE_INSIDE}/before ] || . ${STATE_INSIDE}/before 2>/dev/null
{ case $- in *x*) \\builtin set +x; __countersign="{ \\builtin set -x; } 2>/dev/null; $__countersign" ;; esac; } 2>/dev/null
\\builtin eval "$__countersign"
{
  __countersign=$?
  {
    \\builtin shopt -p
    __countersign_options=$(\\builtin set +o)
    \\builtin set +eux
    \\builtin declare -p IFS
    \\builtin declare -f
    \\builtin declare -Fx
    IFS=$' \\n'
    for __countersign_name in $(\\builtin compgen -v); do
      case $__countersign_name in ${OWN}) ;; *) \\builtin declare -p "$__countersign_name" ;; esac
    done
    \\builtin printf 'builtin cd -- %q\\nOLDPWD=%q\\n' "$PWD" "$OLDPWD"
    \\builtin printf '%s\\n' "$__countersign_options"
    \\builtin alias -p
    \\builtin printf ':\\n'
  } >${STATE_INSIDE}/after
  \\builtin printf '%s' "$PWD" >${STATE_INSIDE}/folder
  \\builtin exit "$__countersign"
} 2>/dev/null
`

/**
 * Returns the folder that is bound to `STATE_INSIDE`. `cwd`: the folder in which the command runs. If undefined, the command runs in the
 * folder that the state contains.
 */
export async function prepareState(layer: Layer, before: BashState | null, cwd: string | undefined): Promise<string> {
  const folder = join(layer.path, 'state')
  // A failed start may already have created the folder.
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (before === null) return folder
  const change = cwd === undefined || cwd === before.folder ? '' : `\\builtin cd -- '${cwd.replaceAll("'", String.raw`'\''`)}'\n`
  await writeFile(join(folder, 'before'), before.script + change, { mode: 0o600 })
  return folder
}

/**
 * Null if the command has ended its shell, or if the state is too large. A link that the command has put in its place is not followed.
 */
export async function stateAfter(layer: Layer): Promise<BashState | null> {
  const [script, folder] = await Promise.all([readLeft(layer, 'after'), readLeft(layer, 'folder')])
  return script?.endsWith('\n:\n') && folder?.startsWith('/') ? { script, folder } : null
}

async function readLeft(layer: Layer, name: string): Promise<string | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(join(layer.path, 'state', name), flags).catch(() => null)
  if (handle === null) return null
  try {
    const found = await handle.stat()
    return found.isFile() && found.size <= MAX_STATE_BYTES ? await handle.readFile('utf8') : null
  } finally {
    await handle.close()
  }
}
