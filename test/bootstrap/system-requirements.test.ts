import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { lacks, ptyBinary } from '../../main/bootstrap/system-requirements.mjs'
import { tempFolder } from './temp-folder.ts'

const SQLITE = { 'better-sqlite3/package.json': '{}', 'better-sqlite3/prebuilds/linux-x64.node': '' }
const PTY = { 'node-pty/package.json': '{}', 'node-pty/build/Release/pty.node': '' }

const machine = (files: Readonly<Record<string, string>>) => ({
  nodeVersion: '24.21.0',
  platform: 'linux',
  arch: 'x64',
  moduleFolders: ['/nowhere/node_modules', tempFolder(files)],
  scriptsIgnored: false,
})

describe('the report of what prevents an entry point from running', () => {
  test('is empty if Node and both native modules are installed', () => {
    expect(lacks(machine({ ...SQLITE, ...PTY }))).toEqual([])
  })

  test('if Node is too old, only this is reported, together with what to do', () => {
    expect(lacks({ ...machine({}), nodeVersion: '20.20.2' })).toEqual([
      {
        fatal: true,
        words:
          'Countersign runs on Node 24, which is installed as an npm package; this is Node 20.20.2. Run "npm start" or "npm test" in this folder: they install it.',
      },
    ])
  })

  test('with an older Node and ignore-scripts, the message says that this setting prevented the installation of the newer Node', () => {
    const [lack] = lacks({ ...machine({}), nodeVersion: '18.19.0', scriptsIgnored: true })
    expect(lack?.words).toContain(`npm's setting ignore-scripts prevented its installation: run "npm ci --ignore-scripts=false"`)
  })

  test('a newer major version of Node is accepted', () => {
    expect(lacks({ ...machine({ ...SQLITE, ...PTY }), nodeVersion: '26.0.0' })).toEqual([])
  })

  test('missing packages are reported', () => {
    expect(lacks(machine(PTY))).toEqual([
      { fatal: true, words: 'The packages are not installed (better-sqlite3 is missing). Run "npm ci" in this folder.' },
    ])
  })

  test('an SQLite module without a binary for this machine prevents the start', () => {
    const [lack] = lacks({ ...machine({ ...SQLITE, ...PTY }), arch: 'riscv64' })
    expect(lack).toMatchObject({ fatal: true, words: expect.stringContaining('no binary for linux-riscv64') })
  })

  test('an SQLite module for musl, or one built on this machine, is accepted', () => {
    const files = { 'better-sqlite3/package.json': '{}', ...PTY }
    expect(lacks(machine({ ...files, 'better-sqlite3/prebuilds/linuxmusl-x64.node': '' }))).toEqual([])
    expect(lacks(machine({ ...files, 'better-sqlite3/build/Release/better_sqlite3.node': '' }))).toEqual([])
  })

  test('a terminal module that is not built is reported and does not prevent the start', () => {
    expect(lacks(machine({ ...SQLITE, 'node-pty/package.json': '{}' }))).toEqual([
      {
        fatal: false,
        words:
          'The terminal module (node-pty) is not built, so there is no terminal. "npm start" builds it (needs a C++ compiler, make and Python 3).',
      },
    ])
  })

  test('the prebuilt terminal module is found on Windows and macOS', () => {
    const folder = tempFolder({
      'node-pty/package.json': '{}',
      'node-pty/prebuilds/win32-x64/conpty.node': '',
      'node-pty/prebuilds/darwin-arm64/pty.node': '',
    })
    const moduleFolders = [folder]
    expect(ptyBinary({ moduleFolders, platform: 'win32', arch: 'x64' })).toBe(
      join(folder, 'node-pty', 'prebuilds', 'win32-x64', 'conpty.node'),
    )
    expect(ptyBinary({ moduleFolders, platform: 'darwin', arch: 'arm64' })).toBe(
      join(folder, 'node-pty', 'prebuilds', 'darwin-arm64', 'pty.node'),
    )
    expect(ptyBinary({ moduleFolders, platform: 'linux', arch: 'x64' })).toBe(null)
  })
})

describe('the first import of every entry point', () => {
  const source = fileURLToPath(new URL('../../main', import.meta.url))

  test('reports missing packages and ends the process before the entry runs', () => {
    const root = tempFolder({ 'main/entry.mjs': "console.log('the entry ran')" })
    cpSync(join(source, 'preflight.mjs'), join(root, 'main', 'preflight.mjs'))
    cpSync(join(source, 'bootstrap'), join(root, 'main', 'bootstrap'), { recursive: true })
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', './main/preflight.mjs', 'main/entry.mjs'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'The packages are not installed (better-sqlite3 is missing). Run "npm ci" in this folder.\nThe terminal module (node-pty) is not built, so there is no terminal. "npm start" builds it (needs a C++ compiler, make and Python 3).\n',
    })
  })

  test('prints nothing in this clone', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(source, 'preflight.mjs')], { encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})
