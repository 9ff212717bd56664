import fs, { closeSync, constants, fstatSync, openSync, promises, writeSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import Database from 'better-sqlite3'

/**
 * Preloaded (`node --import`) into a process under test. Kills the process with SIGKILL just before its nth change of the disk. The file
 * `KILL_COUNT` gets one line per change, from all processes and threads. `KILL_AT`: the change before which to kill, or 0 to only count.
 * `FILL_DISK`: instead of the kill, a file of this name fills the disk. `FILL_NAMES`: instead of the kill, empty files whose paths begin
 * with this text are created until the disk takes no more files. `KILL_IN_REWRITE`: kills the process this number of ms after it
 * begins to rewrite the database.
 */
function countChanges(file: string, killAt: number): void {
  const open = openSync
  const write = writeSync
  const stat = fstatSync
  const close = closeSync
  let changes = 0
  const fillNames = (path: string): void => {
    try {
      for (let name = 0; ; name++) close(open(`${path}${name}`, 'w'))
    } catch {
      // The disk has no room for another file.
    }
  }
  const fill = (ballast: string): void => {
    const handle = open(ballast, 'w')
    const kilobyte = Buffer.alloc(1024)
    try {
      for (;;) write(handle, kilobyte)
    } catch {
      close(handle)
    }
  }
  const change = (what: string): void => {
    const handle = open(file, 'a')
    const { size } = stat(handle)
    // Each line has a fixed length in bytes and no inner line breaks, so the file size gives the number of changes.
    write(
      handle,
      `${what
        .replaceAll(/[^!-~]+/gu, ' ')
        .padEnd(60)
        .slice(-60)}\n`,
    )
    close(handle)
    changes = size / 61 + 1
    if (changes !== killAt) return
    if (FILL_DISK !== undefined) fill(FILL_DISK)
    else if (FILL_NAMES !== undefined) fillNames(FILL_NAMES)
    else process.kill(process.pid, 'SIGKILL')
  }
  const wrap = (target: object, name: string, changesDisk: (args: readonly unknown[]) => boolean = () => true): void => {
    const original: unknown = Reflect.get(target, name)
    if (typeof original !== 'function') return
    Reflect.set(target, name, function counted(this: unknown, ...args: unknown[]): unknown {
      if (changesDisk(args)) change(`${name} ${typeof args[0] === 'string' ? args[0] : ''}`)
      return Reflect.apply(original, this, args)
    })
  }
  const names = ['writeFile', 'appendFile', 'rename', 'unlink', 'rm', 'rmdir', 'mkdir', 'link', 'symlink', 'chmod', 'copyFile', 'truncate']
  for (const name of names) {
    wrap(fs, `${name}Sync`)
    wrap(promises, name)
  }
  for (const name of ['writeSync', 'fsyncSync', 'fdatasyncSync']) wrap(fs, name)
  wrap(fs, 'openSync', creates)
  wrap(promises, 'open', creates)
  syncBuiltinESMExports()
  const db = new Database(':memory:')
  const statement = Object.getPrototypeOf(db.prepare('SELECT 1')) as object
  for (const name of ['run', 'get', 'all']) {
    const original = Reflect.get(statement, name) as (...args: unknown[]) => unknown
    Reflect.set(statement, name, function counted(this: { readonly source: string; readonly readonly: boolean }, ...args: unknown[]) {
      if (!this.readonly || /^(?:BEGIN|COMMIT)/u.test(this.source)) change(this.source.replaceAll(/\s+/gu, ' ').slice(0, 60))
      return Reflect.apply(original, this, args)
    })
  }
  wrap(Object.getPrototypeOf(db) as object, 'exec', ([sql]) => {
    // The thread that rewrites the database is blocked in SQLite, so another process must kill it.
    if (KILL_IN_REWRITE !== undefined && sql === 'VACUUM')
      spawn('sh', ['-c', `sleep ${Number(KILL_IN_REWRITE) / 1000}; kill -9 ${process.pid}`], { stdio: 'ignore' })
    return true
  })
  db.close()
}

const creates = ([, flags]: readonly unknown[]): boolean =>
  typeof flags === 'string' ? /[wa+]/u.test(flags) : typeof flags === 'number' && (flags & (constants.O_WRONLY | constants.O_RDWR)) !== 0

const { KILL_AT = '0', KILL_COUNT, FILL_DISK, FILL_NAMES, KILL_IN_REWRITE } = process.env
if (KILL_COUNT) countChanges(KILL_COUNT, Number(KILL_AT))
