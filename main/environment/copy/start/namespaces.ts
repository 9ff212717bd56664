import { EnvironmentFailure } from '../../environment-failure.ts'
import { ownProgram } from '../../own-programs/own-programs.ts'
import { runOwnProgram } from '../../own-programs/run-own-program.ts'

/**
 * Lets root change files of other users too, for example in a dev container, where the project belongs to the user outside. `unshare -r`
 * maps only one user, and the files of all others could be neither read nor changed. Therefore a process outside the namespace maps all
 * users. A program that starts before the users are mapped has no capabilities, so the script starts one more program after the mapping.
 */
const MAP_EVERYBODY = `
ids() { while read -r first _ count; do echo "$first $first $count"; done </proc/self/$1_map; }
coproc maps {
  read -r _
  { ids uid >/proc/$$/uid_map && ids gid >/proc/$$/gid_map; } 2>/dev/null
  echo $?
}
exec 5</proc/self/fd/"\${maps[0]}" 6>/proc/self/fd/"\${maps[1]}"
unshare=$1
shift
exec "$unshare" -Um -- /bin/bash --norc -c 'echo >&6; read -r failed <&5; exec 5<&- 6>&-; [ "$failed" = 0 ] || exit 125; exec "$@"' mapped "$@"
`

/** What a command that root runs may do with files of other users. These are root's normal rights, and they only apply in the folder. */
const FILE_RIGHTS = ['CAP_CHOWN', 'CAP_FOWNER', 'CAP_FSETID']
/** The right to read and change files regardless of their modes. */
const IGNORES_MODES = 'CAP_DAC_OVERRIDE'

/** Starts a program in new user and mount namespaces, in which it may mount file systems. */
export function inNamespaces(mapsEverybody: boolean, argv: readonly string[]) {
  const unshare = ownProgram('unshare')
  if (unshare === null) throw new EnvironmentFailure('ENOCOPY', 'The program unshare is not installed.')
  return mapsEverybody
    ? { file: '/bin/bash', args: ['--norc', '-c', MAP_EVERYBODY, 'map', unshare, ...argv] }
    : { file: unshare, args: ['-Urm', ...argv] }
}

/**
 * Options of bubblewrap for the remaining namespaces (network, processes and others), and for what a command may do in them. Descriptor 7
 * must be the system call filter of the layer. `obeysModes`: whether modes also bind root, so that root cannot read what rules deny.
 */
export const isolation = (mapsEverybody: boolean, obeysModes: boolean): readonly string[] => [
  '--unshare-net',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  ...(mapsEverybody ? [] : ['--unshare-user', '--uid', String(process.getuid?.() ?? 0), '--gid', String(process.getgid?.() ?? 0)]),
  // Without `--cap-drop`, a command that root runs would keep the right to mount, and could write outside the folder.
  '--cap-drop',
  'ALL',
  ...(mapsEverybody ? added(obeysModes ? FILE_RIGHTS : [...FILE_RIGHTS, IGNORES_MODES]) : []),
  '--seccomp',
  '7',
  '--die-with-parent',
]

const added = (rights: readonly string[]): readonly string[] => rights.flatMap((name) => ['--cap-add', name])

/** Whether this process is root and may map all users. Containers may refuse the mapping. */
export async function mayMapEverybody(): Promise<boolean> {
  if (process.geteuid?.() !== 0 || ownProgram('unshare') === null) return false
  const { file, args } = inNamespaces(true, ['/bin/bash', '-c', '[ "$(id -u)" = 0 ]'])
  return (await runOwnProgram(file, args, { cwd: '/' })).failure === null
}
