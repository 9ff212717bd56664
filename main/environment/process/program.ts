import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { EnvironmentFailure } from '../environment-failure.ts'

/** Where a POSIX shell itself looks when there is no PATH. */
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'

/**
 * The absolute path of a program, searched in the absolute folders of `path` only, so that nothing of the folder in which a command
 * runs is ever taken for it (C13). A path is taken as it is. Null when there is none.
 */
export function findProgram(name: string, path: string | undefined): string | null {
  if (isAbsolute(name)) return isExecutable(name) ? name : null
  if (name.includes('/') || name.includes('\\')) return null
  for (const folder of absoluteFolders(path).split(delimiter)) {
    for (const ending of process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : ['']) {
      const candidate = join(folder, name + ending)
      if (isExecutable(candidate)) return candidate
    }
  }
  return null
}

/** Of a PATH, what may be searched for our own programs and by them; never empty, which would be the folder itself. */
export function absoluteFolders(path: string | undefined): string {
  return (path ?? '').split(delimiter).filter(isAbsolute).join(delimiter) || DEFAULT_PATH
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

export interface Shell {
  readonly file: string
  argumentsFor(command: string): string[]
}

/** P2-43: bash -c, on Windows cmd.exe /c. `ENOSHELL` with what to do when there is none. */
export function findShell(chosen: string | undefined, path: string | undefined): Shell {
  if (process.platform === 'win32') {
    return { file: process.env['ComSpec'] ?? 'cmd.exe', argumentsFor: (command) => ['/d', '/s', '/c', `"${command}"`] }
  }
  const candidates = chosen === undefined ? ['/bin/bash', '/usr/bin/bash', 'bash'] : [chosen]
  for (const candidate of candidates) {
    const file = findProgram(candidate, path)
    if (file) return { file, argumentsFor: (command) => ['-c', command] }
  }
  const looked = chosen ?? `/bin, /usr/bin and PATH (${path || 'which is empty'})`
  throw new EnvironmentFailure(
    'ENOSHELL',
    `No command can run: bash was not found (looked for in ${looked}). Install bash, or choose a shell.`,
  )
}
