import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandStart } from '../../process/started-command.ts'
import { ownProgram } from '../../own-programs/own-programs.ts'
import type { Layer } from '../overlay-layer.ts'
import { STATE_INSIDE, WITH_STATE } from './bash-state.ts'
import { PORT_SOCKET_INSIDE } from './local-ports.ts'
import { inNamespaces, isolation } from './namespaces.ts'
import { outsideVariables } from './outside-variables.ts'

/** The path of the proxy's socket inside a copy. */
export const SOCKET_INSIDE = '/run/countersign-proxy'
/** The file inside a copy that receives the number of processes that a command has left running. */
const LEFT_INSIDE = '/run/countersign-left'
/** The port inside a copy at which the proxy can be reached. */
export const PROXY_PORT = 3128
/** The exit code of a start that failed before the command could run. */
export const NOT_STARTED_EXIT = 125
/** Maximum number of processes of one copy. The limit does not apply to root. */
const MAX_PROCESSES = 4_096

/** The file descriptor of a start in a durable layer that reaches its end when Countersign has exited or was killed. */
const LIFELINE = 3

/** Closes inherited file descriptors above `last`, because through them a command could reach files outside the sandbox. */
export const closeDescriptorsAbove = (last: number): string =>
  `for open in /proc/self/fd/*; do open=\${open##*/}; [ "$open" -le ${last} ] || eval "exec $open>&-"; done`

/**
 * Runs in its own mount namespace, in the layer. No option of `mount` contains a path of the user, because commas and colons in it would be
 * read as more options. Therefore the options use `low` and `home`, which are links to the folder and to home. They are not mounts, because
 * each start of `mount` costs 2 to 3 ms. If home gets an overlay, the layer is then bound to its own path again, because a socket that is
 * seen through an overlay cannot be connected to.
 */
const outer = (lastDescriptor: number): string => `
${closeDescriptorsAbove(lastDescriptor)}
if [ -n "$2" ]; then
  # Folders below home that are shown as they are. They must be mounted aside before home is covered.
  bind=--bind
  for kept in kept-*-from; do
    [ -e "$kept" ] || continue
    bind=--rbind
    mount --no-canonicalize --bind -- "$kept" "\${kept%-from}" 2>failed-home || exit ${NOT_STARTED_EXIT}
  done
  lay() { mount -t overlay overlay -o lowerdir=home,upperdir=scratch/up,workdir=scratch/work,userxattr -- "$1"; }
  count=home-lost
  { { { [ -d scratch/up ] && lay "$2" 2>failed-scratch && count=home-kept; } ||
      { mount -t tmpfs -o size=1g,nr_inodes=200k tmpfs scratch && mkdir scratch/up scratch/work && lay "$2"; }; } &&
    mount --no-canonicalize $bind -- . "$3"; } 2>failed-home || exit ${NOT_STARTED_EXIT}
fi
# A filled layer has begun before.
[ -e started ] || : >started
mount -t overlay overlay -o "upperdir=up,workdir=work,userxattr,$4" -- "$1" 2>failed-folder || exit ${NOT_STARTED_EXIT}
shift 4
# The remaining arguments begin with the options that give the command its own PATH.
exec 9<arguments 8>status 7<filter
if [ ! -d scratch/up ]; then exec bwrap --args 9 --json-status-fd 8 "$@"; fi
bwrap --args 9 --json-status-fd 8 "$@"
ended=$?
shopt -s nullglob dotglob
written=(scratch/up/*)
# Change times cannot be set back, and "arguments" was written just before the start.
[ \${#written[@]} -eq 0 ] || find scratch/up \\! -type d -cnewer arguments | head -c 1000000 | wc -l >$count
exit $ended
`

/**
 * Runs inside the sandbox, before the command. The proxy and port connections to the outside must be listening before the command can use
 * them.
 */
export const INNER = `
ulimit -u ${MAX_PROCESSES} 2>/dev/null
forward() {
  (socat TCP4-LISTEN:$1,bind=127.0.0.1,fork,reuseaddr UNIX-CONNECT:$2 </dev/null >/dev/null 2>&1 &)
  printf -v port ':%04X ' "$1"
  for ((tries = 0; tries < 20000; tries++)); do
    read -r -d '' sockets </proc/net/tcp
    [[ $sockets == *$port* ]] && break
  done
}
[ ! -S ${SOCKET_INSIDE} ] || forward ${PROXY_PORT} ${SOCKET_INSIDE}
for socket in ${PORT_SOCKET_INSIDE}*; do [ ! -S "$socket" ] || forward "\${socket##*-}" "$socket"; done
if [ ! -e ${LEFT_INSIDE} ]; then exec "$@"; fi
# bash would print how a signal ended the command.
{ "$@" 2>&3 3>&-; } 3>&2 2>/dev/null
ended=$?
# In a container, /proc lists the processes outside, with other process ids.
read -r self _ </proc/self/stat
[ "$self" = $$ ] || exit $ended
left() {
  count=0
  for process in /proc/[0-9]*; do
    read -r stat 2>/dev/null <"$process/stat" || continue
    case $stat in "1 "*|"$$ "*|*"(socat) "*|*") Z "*|*") X "*) ;; *) ((count += 1)) ;; esac
  done
}
left
# One that is about to end is not left behind.
if ((count > 0)); then sleep 0.05; left; echo $((count)) >${LEFT_INSIDE}; fi
exit $ended
`

/**
 * Runs inside the sandbox before everything else, with the path of the probe as its first argument: a file of the upper folder that does
 * not exist outside. If the mount is missing, the program would run in the real folder, so it is not started. That the probe disappears
 * from the upper folder shows that a process stands in the layer.
 *
 * Every process of the sandbox is killed when the one before it ends. If Countersign was killed before that was so, nobody would end the
 * program, so it is not started. But the first process of the sandbox may be bound to the one before it only after this shell has begun, so
 * a background process also waits for the end of Countersign, and then kills all others. This shell has process id 2 only in a process
 * namespace of its own; anywhere else, `kill -1` would reach other processes.
 */
export const PROOF = `
if read -t 0 -u ${LIFELINE}; then exit ${NOT_STARTED_EXIT}; fi
if [ $$ -eq 2 ]; then (exec </dev/null >/dev/null 2>&1; read -r -u ${LIFELINE}; kill -KILL -1) & fi
exec ${LIFELINE}<&-
if [ ! -e "$1" ] || ! command -p rm -- "$1"; then
  echo 'The folder inside is not the layer.' >&2
  exit ${NOT_STARTED_EXIT}
fi
shift
`

/** Bash mistakes Countersign's pipe for a connection from another machine, and would run the user's `.bashrc` first. */
export const BASH = ['--norc', '-c'] as const

/** A layer that outlives the app. */
interface DurableLaunch {
  /** The path of the probe, as the program sees it. */
  readonly probe: string
}

export interface Launch {
  readonly layer: Layer
  /** Null for a copy, which is lost if the machine fails. */
  readonly durable: DurableLaunch | null
  /** Links in the layer to the folders that show through, the uppermost first. The last is the link to the real folder. */
  readonly lowers: readonly string[]
  readonly folder: string
  /** Null if home is shown unchanged and read-only, or not at all. */
  readonly home: string | null
  readonly view: readonly string[]
  /** Arguments of bubblewrap that hide what rules deny. */
  readonly denied: readonly string[]
  /** The real path of the proxy's socket. Null if the command has no proxy. */
  readonly proxy: string | null
  /** The real paths of the sockets for granted ports of this machine. */
  readonly ports: ReadonlyMap<number, string>
  readonly inTerminal: boolean
  /** The folder with the state of bash. Null if the command runs in a new shell. */
  readonly state: string | null
  /** Whether the user is root and all users are mapped, so that commands can change files of every user. */
  readonly mapsEverybody: boolean
}

/** Writes bubblewrap's arguments to a file, and returns the command that starts a shell inside. */
export async function prepareLaunch(
  launch: Launch,
  cwd: string,
): Promise<(what: Omit<CommandStart, 'onBytes'>) => Omit<CommandStart, 'onBytes'>> {
  if (launch.durable === null) await writeFile(join(launch.layer.path, 'left'), '')
  await writeFile(
    join(launch.layer.path, 'arguments'),
    argumentsOf(launch, cwd)
      .map((one) => `${one}\0`)
      .join(''),
  )
  return ({ file, args, env }) => {
    const outside = outsideVariables(environmentInside(env, launch.proxy !== null))
    const started = inNamespaces(launch.mapsEverybody, [
      ...endWithParent(),
      '/bin/bash',
      ...BASH,
      outer(launch.durable === null ? 2 : LIFELINE),
      'copy',
      launch.folder,
      launch.home ?? '',
      launch.layer.path,
      `lowerdir=${launch.lowers.join(':')}${launch.durable === null ? ',volatile' : ''}`,
      ...outside.options,
      '--',
      '/bin/bash',
      ...BASH,
      launch.durable === null ? INNER : PROOF + INNER,
      'copy',
      ...(launch.durable === null ? [] : [launch.durable.probe]),
      file,
      // The command is the last argument of every shell.
      ...(launch.state === null ? args : [...args.slice(0, -1), WITH_STATE, 'bash', ...args.slice(-1)]),
    ])
    return { ...started, cwd: launch.layer.path, env: outside.variables }
  }
}

/**
 * bubblewrap is killed when its parent shell exits, so that shell must exit when this process exits or is killed. Creating namespaces
 * clears the parent-death signal, so `setpriv` sets it inside them.
 */
function endWithParent(): readonly string[] {
  const setpriv = ownProgram('setpriv')
  return setpriv === null ? [] : [setpriv, '--pdeathsig', 'KILL', '--']
}

function argumentsOf(
  { layer, durable, view, denied, proxy, ports, inTerminal, state, mapsEverybody }: Launch,
  cwd: string,
): readonly string[] {
  return [
    ...view,
    ...denied,
    ...(durable === null ? ['--bind', join(layer.path, 'left'), LEFT_INSIDE] : []),
    ...(proxy === null ? [] : ['--bind', proxy, SOCKET_INSIDE]),
    ...[...ports].flatMap(([port, socket]) => ['--bind', socket, `${PORT_SOCKET_INSIDE}${port}`]),
    ...(state === null ? [] : ['--bind', state, STATE_INSIDE]),
    '--remount-ro',
    '/run',
    ...isolation(mapsEverybody, denied.length > 0),
    // A command in a terminal needs no `--new-session`: the terminal is created for this command only, so nothing can be typed into the
    // terminal of another command. Job control needs the terminal to belong to the session itself.
    ...(inTerminal ? [] : ['--new-session']),
    '--chdir',
    cwd,
  ]
}

/** Variables with addresses of sockets that do not exist in the copy. */
const LEADS_OUT = new Set([
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'WAYLAND_DISPLAY',
  'DISPLAY',
  'XAUTHORITY',
])
const PROXY_VARIABLES = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'http_proxy',
  'https_proxy',
  'ALL_PROXY',
  'all_proxy',
  'npm_config_proxy',
  'npm_config_https_proxy',
]

export function environmentInside(env: CommandStart['env'], hasProxy: boolean): CommandStart['env'] {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !LEADS_OUT.has(name) && !PROXY_VARIABLES.includes(name)))
  const address = `http://127.0.0.1:${PROXY_PORT}`
  const proxy: Readonly<Record<string, string>> = hasProxy ? Object.fromEntries(PROXY_VARIABLES.map((name) => [name, address])) : {}
  const local = 'localhost,127.0.0.1,::1'
  return {
    ...kept,
    ...proxy,
    // Node's own clients use the proxy only if this variable is set. It makes each start of Node 55 ms longer.
    ...(hasProxy && { NO_PROXY: local, no_proxy: local, NODE_USE_ENV_PROXY: kept['NODE_USE_ENV_PROXY'] ?? '1' }),
    TMPDIR: '/tmp',
    GIT_OPTIONAL_LOCKS: '0',
  }
}
