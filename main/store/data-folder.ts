import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, posix, resolve, win32 } from 'node:path'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { troubleOf } from './database/storage-trouble.ts'
import { checkDataFolder } from './private-folder.ts'

export interface DataFolderOptions {
  /** The value of `--data DIR`. */
  readonly data?: string | undefined
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly platform?: string
  readonly home?: string
}

/**
 * The path of the data folder: `--data DIR`, otherwise COUNTERSIGN_HOME, otherwise the platform's default folder. The path is absolute. The
 * folder is not created.
 */
export function dataFolderPath({ data, env = process.env, platform = process.platform, home = homedir() }: DataFolderOptions = {}): string {
  const named = data || env['COUNTERSIGN_HOME']
  if (named) return resolve(named)
  switch (platform) {
    case 'win32':
      return win32.join(env['APPDATA'] || win32.join(home, 'AppData', 'Roaming'), 'Countersign')
    case 'darwin':
      return posix.join(home, 'Library', 'Application Support', 'Countersign')
    default: {
      const base = env['XDG_DATA_HOME']
      return posix.join(base && posix.isAbsolute(base) ? base : posix.join(home, '.local', 'share'), 'countersign')
    }
  }
}

/** The real path of the data folder, created with mode 0700 if it is missing. Fails if other users could change it (`checkDataFolder`). */
export function dataFolder(options: DataFolderOptions = {}): Result<string, Trouble> {
  const folder = dataFolderPath(options)
  try {
    makeFolders(folder)
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error('it is not a folder'), { code: 'ENOTDIR' })
    const real = realpathSync(folder)
    const checked = checkDataFolder(real)
    return checked.ok ? ok(real) : checked
  } catch (error) {
    return failed(troubleOf(error, folder))
  }
}

/** Node's own `recursive` option never returns for folders below `/proc/1` (Node 24.21), where `mkdir` fails with ENOENT. */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) makeFolders(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have just created the folder.
    if (!existsSync(folder)) throw error
  }
}
