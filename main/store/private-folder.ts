import { chmodSync, closeSync, lstatSync, openSync, readdirSync, type Stats } from 'node:fs'
import process from 'node:process'
import { join } from 'node:path'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { DATABASE_FILE, SEARCH_FILE } from './file-names.ts'

const OTHERS_WRITE = 0o022
const OTHERS = 0o077
/** Files in the data folder that Countersign writes. */
const OWN_FILES = /^(?:countersign\.db|search\.db).*$|\.jsonl?$/u
const DATABASES = [DATABASE_FILE, SEARCH_FILE].flatMap((name) => [name, `${name}-wal`, `${name}-shm`])

/**
 * Checks that nobody else can change what is in the data folder through its owner, its databases, or a folder that many users share. A
 * failure says what to do. A missing folder passes. On Windows, which has no such modes, every folder passes.
 */
export function checkDataFolder(folder: string): Result<null, Trouble> {
  const user = process.getuid?.()
  const stat = lookAt(folder)
  if (user === undefined || !stat) return ok(null)
  if (stat.uid !== user) return failed(ofAnotherUser(folder, stat.uid))
  for (const file of DATABASES.map((name) => join(folder, name))) {
    const found = lookAt(file)
    if (found && (found.isSymbolicLink() || found.nlink > 1)) return failed(linked(file))
    if (found && found.uid !== user) return failed(ofAnotherUser(file, found.uid))
  }
  return (stat.mode & OTHERS_WRITE) !== 0 && !isOurs(folder) ? failed(shared(folder)) : ok(null)
}

/**
 * Takes all rights on a checked data folder and its files from other users. Returns what to say about it, or null if nobody could have
 * read or changed anything. Where rights cannot be changed, such as on a disk that is mounted read-only, nothing happens.
 */
export function makePrivate(folder: string): Trouble | null {
  if (process.getuid === undefined || !lookAt(folder)) return null
  const isUsed = lookAt(join(folder, DATABASE_FILE)) !== null
  const wasOpen = takeRights(folder)
  const files = readdirSync(folder).filter((name) => OWN_FILES.test(name) && takeRights(join(folder, name)))
  return isUsed && (wasOpen || files.length > 0) ? wasShared(folder, files) : null
}

/** Creates an empty file that only the user can read, if it is missing. SQLite gives its journals the same rights. */
export function createPrivateFile(file: string): void {
  if (!lookAt(file)) closeSync(openSync(file, 'a', 0o600))
}

/** Whether the folder is empty or contains Countersign's database. */
const isOurs = (folder: string): boolean => lookAt(join(folder, DATABASE_FILE)) !== null || readdirSync(folder).length === 0

const lookAt = (path: string): Stats | null => lstatSync(path, { throwIfNoEntry: false }) ?? null

/** Returns false if others had no rights, or if the rights cannot be changed. Links are left alone. */
function takeRights(path: string): boolean {
  const stat = lookAt(path)
  if (!stat || (stat.mode & OTHERS) === 0 || !(stat.isFile() || stat.isDirectory())) return false
  try {
    chmodSync(path, stat.mode & 0o700)
    return true
  } catch {
    return false
  }
}

const UNCHANGED = 'Nothing was opened or changed.'

const ofAnotherUser = (path: string, uid: number): Trouble => ({
  code: 'data_of_another_user',
  what: `${path} belongs to another user (number ${uid}), who could read and change everything in it.`,
  kept: UNCHANGED,
  todo: 'Make it your own (chown), or start with another data folder: --data DIR.',
})

const linked = (file: string): Trouble => ({
  code: 'data_linked',
  what: `${file} is a link or has a second name, so that the history would be written to another place.`,
  kept: UNCHANGED,
  todo: 'Put the file itself in its place, or start with another data folder: --data DIR.',
})

const shared = (folder: string): Trouble => ({
  code: 'data_shared',
  what: `${folder} contains other files, and other users may write in it.`,
  kept: UNCHANGED,
  todo: `If it is your own, take this right from them: chmod 700 ${folder}. Otherwise start with another data folder: --data DIR.`,
})

const wasShared = (folder: string, files: readonly string[]): Trouble => ({
  code: 'data_was_shared',
  what: `Other users of this computer could read or change the data folder${files.length > 0 ? ` and in it ${files.join(', ')}` : ''} (${folder}).`,
  kept: 'Everything is kept. From now on only you can read and change it.',
  todo: 'If you did not set these rights yourself, look at your rules, hooks and MCP servers in the settings.',
})
