import type { Confinement } from '../../agent/ports/execution-environment.ts'
import { runOwnProgram } from '../own-programs/run-own-program.ts'

/** The folders for which a profile is written, by their real paths. */
export interface SeatbeltFolders {
  /** The project folder. Nothing in it can be changed. */
  readonly folder: string
  /** Countersign's own folder. Nothing in it can be read or changed, except `tree`. */
  readonly own: string
  /** The clone in which the commands run. */
  readonly tree: string
}

/** The program of macOS that runs another program with a profile. */
const SANDBOX_EXEC = '/usr/bin/sandbox-exec'
const LIMIT_MS = 10_000

/**
 * The seatbelt profile of commands in a clone. They keep the user's other permissions, such as the network and package caches, because the
 * user has signed them. Later rules override earlier ones.
 */
export function seatbeltProfile({ folder, own, tree }: SeatbeltFolders): string {
  return [
    '(version 1)',
    '(allow default)',
    `(deny file-write* (subpath ${quoted(folder)}))`,
    `(deny file-read* file-write* (subpath ${quoted(own)}))`,
    `(allow file-read* file-write* (subpath ${quoted(tree)}))`,
    // Programs stat the parents of their working directory.
    `(allow file-read-metadata (path-ancestors ${quoted(tree)}))`,
  ].join('\n')
}

/** Quotes a string for a profile. Only quotes and backslashes need escaping. */
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/gu, String.raw`\$&`)}"`

/**
 * Keeps commands in a clone from changing the project folder, whatever path they use. Null on other systems, and if macOS does not accept
 * the profile. `program` and `platform`: only tests set them.
 */
export async function seatbelt(
  folders: SeatbeltFolders,
  { program = SANDBOX_EXEC, platform = process.platform }: { readonly program?: string; readonly platform?: NodeJS.Platform } = {},
): Promise<Confinement | null> {
  if (platform !== 'darwin') return null
  const options = ['-p', seatbeltProfile(folders)]
  const tried = await runOwnProgram(program, [...options, '/usr/bin/true'], { cwd: folders.tree, timeoutMs: LIMIT_MS })
  if (tried.failure !== null) return null
  return { wrap: ({ file, args, cwd, env }) => ({ file: program, args: [...options, file, ...args], cwd, env }) }
}
