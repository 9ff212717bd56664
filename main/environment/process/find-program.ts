import { accessSync, constants, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { EnvironmentFailure } from '../environment-failure.ts'

/** Facts about the machine that the search for a program depends on. They are a parameter so that tests can use another platform. */
export interface Machine {
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
  isExecutable(path: string): boolean
}

const THIS_MACHINE: Machine = { platform: process.platform, env: process.env, isExecutable }

/** The folders in which a POSIX shell searches if there is no PATH. */
const POSIX_PATH = '/usr/local/bin:/usr/bin:/bin'
/**
 * PATHEXT's other extensions are not used, because Node starts batch files (`.cmd`, `.bat`) only through a shell, whose quoting cannot be
 * made safe.
 */
const WINDOWS_ENDINGS = ['.exe', '.com'] as const

/**
 * The absolute path of a program. Only absolute folders of `path` are searched, so that a file of the command's working folder is never
 * used. If `name` is an absolute path, only that file is tried. Null if no program is found.
 */
export function findProgram(name: string, path: string | undefined, machine: Machine = THIS_MACHINE): string | null {
  const { isAbsolute, join } = pathsOf(machine)
  const names = namesOf(name, machine)
  if (isAbsolute(name)) return names.find((file) => machine.isExecutable(file)) ?? null
  if (/[/\\]/u.test(name) || (machine.platform === 'win32' && name.includes(':'))) return null
  const candidates = foldersIn(path, machine).flatMap((folder) => names.map((file) => join(folder, file)))
  return candidates.find((file) => machine.isExecutable(file)) ?? null
}

function namesOf(name: string, { platform }: Machine): readonly string[] {
  if (platform !== 'win32') return [name]
  const hasEnding = WINDOWS_ENDINGS.some((ending) => name.toLowerCase().endsWith(ending))
  return hasEnding ? [name] : WINDOWS_ENDINGS.map((ending) => name + ending)
}

/** The part of a PATH that may be searched. Never empty, because an empty PATH would mean the current folder. */
export function absoluteFolders(path: string | undefined, machine: Machine = THIS_MACHINE): string {
  return foldersIn(path, machine).join(pathsOf(machine).delimiter)
}

function foldersIn(path: string | undefined, machine: Machine): readonly string[] {
  const { delimiter, isAbsolute } = pathsOf(machine)
  if (machine.platform !== 'win32') {
    const folders = (path ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
    return folders.length > 0 ? folders : POSIX_PATH.split(delimiter)
  }
  // Folders in PATH may be quoted. A folder such as `\tools` is not absolute, because it depends on the current drive.
  const folders = (path ?? '').split(delimiter).map((folder) => folder.replaceAll('"', ''))
  const absolute = folders.filter((folder) => /^(?:[a-z]:[\\/]|\\\\)/iu.test(folder))
  return absolute.length > 0 ? absolute : [win32.join(systemRoot(machine.env), 'System32'), systemRoot(machine.env)]
}

const pathsOf = ({ platform }: Machine): typeof posix => (platform === 'win32' ? win32 : posix)

/** The full path of a Windows program, because Windows searches the current folder first for a bare name. */
export function windowsProgram(name: string, env: Machine['env'] = process.env): string {
  return win32.join(systemRoot(env), 'System32', name)
}

function systemRoot(env: Machine['env']): string {
  const named = env['SystemRoot'] ?? env['SYSTEMROOT']
  return named !== undefined && /^[a-z]:\\/iu.test(named) ? named : String.raw`C:\Windows`
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

export interface Shell {
  readonly file: string
  /** Whether the arguments are passed unquoted. This is needed on Windows, because cmd.exe has its own quoting rules. */
  readonly verbatim: boolean
  argumentsFor(command: string): string[]
}

/** The beginning of the message if there is no shell. */
export const NO_SHELL = 'No command can run:'

/** Finds bash (`bash -c`) or, on Windows, `cmd.exe /c`. If there is no shell, throws `ENOSHELL` with a message that says what to do. */
export function findShell(chosen: string | undefined, path: string | undefined, machine: Machine = THIS_MACHINE): Shell {
  const onWindows = machine.platform === 'win32'
  const candidates = onWindows ? [commandPrompt(machine)] : ['/bin/bash', '/usr/bin/bash', 'bash']
  for (const candidate of chosen === undefined ? candidates : [chosen]) {
    const file = findProgram(candidate, path, machine)
    if (file) return onWindows ? windowsShell(file) : { file, verbatim: false, argumentsFor: (command) => ['-c', command] }
  }
  const looked = chosen ?? (onWindows ? commandPrompt(machine) : `/bin, /usr/bin and PATH (${path || 'which is empty'})`)
  const name = onWindows ? 'cmd.exe' : 'bash'
  throw new EnvironmentFailure(
    'ENOSHELL',
    `${NO_SHELL} ${name} was not found (looked for in ${looked}). Install ${name}, or choose a shell.`,
  )
}

function commandPrompt({ env }: Machine): string {
  const named = env['ComSpec'] ?? env['COMSPEC']
  return named !== undefined && win32.isAbsolute(named) ? named : windowsProgram('cmd.exe', env)
}

function windowsShell(file: string): Shell {
  switch (win32.basename(file).toLowerCase()) {
    case 'cmd.exe':
      return { file, verbatim: true, argumentsFor: (command) => ['/d', '/s', '/c', `"${oneLine(command)}"`] }
    case 'powershell.exe':
    case 'pwsh.exe':
      return { file, verbatim: false, argumentsFor: (command) => ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', command] }
    default:
      return { file, verbatim: false, argumentsFor: (command) => ['-c', command] }
  }
}

/** cmd.exe silently ignores everything after the first line. */
function oneLine(command: string): string {
  const trimmed = command.trim()
  if (!/[\r\n]/u.test(trimmed)) return trimmed
  throw new EnvironmentFailure(
    'EINVAL',
    'cmd.exe runs one line at a time, and this command has several lines; nothing was run. Join the lines with && or &, or write a .cmd file and run that (EINVAL).',
  )
}
