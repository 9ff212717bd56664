import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  changingPackages,
  freshness,
  outdatedPackages,
  unpackedPackages,
  writeStamp,
} from '../../main/bootstrap/install/installed-packages.mjs'
import { tempFolder } from './temp-folder.ts'

const LOCKED = {
  '': { name: 'x' },
  'node_modules/zod': { version: '4.6.7' },
  'node_modules/node-pty': { version: '1.1.0', optional: true },
  'node_modules/made-for-another': { version: '2.0.0', optional: true, os: ['plan9'], cpu: [process.arch] },
  'node_modules/belongs-to-it': { version: '2.0.0', optional: true },
}
const INSTALLED = { 'node_modules/zod': { version: '4.6.7' }, 'node_modules/node-pty': { version: '1.1.0', optional: true } }

const lock = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages })
const clone = (installed: object | null): string =>
  tempFolder({
    'package.json': '{}',
    'package-lock.json': lock(LOCKED),
    ...(installed ? { 'node_modules/.package-lock.json': lock(installed) } : {}),
  })

describe('whether the installed packages match the lock file', () => {
  test('a clone without packages counts as not installed', () => {
    expect(freshness(clone(null))).toBe('absent')
  })

  test('a folder left by an interrupted npm counts as not installed', () => {
    const root = clone(null)
    mkdirSync(join(root, 'node_modules', 'zod'), { recursive: true })
    expect(freshness(root)).toBe('absent')
  })

  test('packages installed by hand are accepted', () => {
    expect(freshness(clone(INSTALLED))).toBe('fresh')
  })

  test('a version other than the locked one makes the installation stale', () => {
    expect(freshness(clone({ ...INSTALLED, 'node_modules/zod': { version: '4.6.6' } }))).toBe('stale')
  })

  test('a missing package makes the installation stale', () => {
    expect(freshness(clone({ 'node_modules/node-pty': { version: '1.1.0' } }))).toBe('stale')
  })

  test('a terminal module that npm dropped because it did not compile makes the installation stale', () => {
    expect(freshness(clone({ 'node_modules/zod': { version: '4.6.7' } }))).toBe('stale')
  })

  test('a package compiled for this machine makes the installation stale if npm skipped it', () => {
    const root = clone(INSTALLED)
    const compiled = { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] }
    writeFileSync(join(root, 'package-lock.json'), lock({ ...LOCKED, 'node_modules/made-for-us': compiled }))
    expect(freshness(root)).toBe('stale')
  })

  test('our own stamp is trusted, whatever npm has recorded', () => {
    const root = clone({})
    writeStamp(root)
    expect(freshness(root)).toBe('fresh')
  })

  test('a changed lock file makes the packages stale, and restoring the file makes them fresh', () => {
    const root = clone({})
    writeStamp(root)
    writeFileSync(join(root, 'package-lock.json'), lock({ ...LOCKED, 'node_modules/zod': { version: '4.7.0' } }))
    expect(freshness(root)).toBe('stale')
    writeFileSync(join(root, 'package-lock.json'), lock(LOCKED))
    expect(freshness(root)).toBe('fresh')
  })

  test('if only package.json changed, the installed packages are compared with the lock file', () => {
    const root = clone(INSTALLED)
    writeStamp(root)
    writeFileSync(join(root, 'package.json'), '{"scripts":{}}')
    expect(freshness(root)).toBe('fresh')
  })

  test('a truncated lock file is not treated as an empty one', () => {
    const root = clone(INSTALLED)
    writeFileSync(join(root, 'package-lock.json'), '{"packages":{')
    expect(freshness(root)).toBe('stale')
  })

  test('after an interrupted installation everything counts as not installed', async () => {
    const root = clone(INSTALLED)
    await expect(changingPackages(root, () => Promise.reject(new Error('killed')))).rejects.toThrow('killed')
    expect(freshness(root)).toBe('absent')
    await changingPackages(root, () => Promise.resolve())
    expect(freshness(root)).toBe('fresh')
  })

  test.each([
    ['is missing', {}],
    ['has another version', { 'node_modules/zod/package.json': '{"version":"4.6.6"}' }],
  ])('a direct dependency that %s is stale, whatever the records say', (_, files) => {
    const root = clone(INSTALLED)
    writeFileSync(join(root, 'package.json'), '{"devDependencies":{"zod":"^4.6.0"}}')
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), text)
    }
    writeStamp(root)
    expect([freshness(root), outdatedPackages(root)]).toEqual(['stale', ['zod']])
  })

  test("an npm install of another version's packages after our own makes the packages stale", () => {
    const root = clone(INSTALLED)
    writeStamp(root)
    writeFileSync(join(root, 'node_modules/.package-lock.json'), lock({ 'node_modules/node-pty': { version: '1.1.0' } }))
    expect(freshness(root)).toBe('stale')
  })

  test('clones that share hard-linked files do not change each other’s stamp', () => {
    const one = clone(INSTALLED)
    const other = clone(INSTALLED)
    writeStamp(one)
    const note = (root: string): string => join(root, 'node_modules', '.countersign-setup.json')
    linkSync(note(one), note(other))
    const before = readFileSync(note(other), 'utf8')
    writeFileSync(join(one, 'package-lock.json'), lock({ ...LOCKED, 'node_modules/zod': { version: '4.7.0' } }))
    writeStamp(one)
    expect(readFileSync(note(one), 'utf8')).not.toBe(before)
    expect(readFileSync(note(other), 'utf8')).toBe(before)
  })

  test('the stamp is removed together with the packages', () => {
    const root = clone(INSTALLED)
    writeStamp(root)
    rmSync(join(root, 'node_modules'), { recursive: true })
    expect(freshness(root)).toBe('absent')
  })
})

test('the progress of an installation counts the packages that this machine needs, including nested packages', () => {
  const root = tempFolder({ 'package-lock.json': lock({ ...LOCKED, 'node_modules/zod/node_modules/inner': { version: '1.0.0' } }) })
  expect(unpackedPackages(root)).toBe('npm is downloading, nothing is unpacked yet')
  const unpack = (path: string): void => {
    mkdirSync(join(root, path), { recursive: true })
    writeFileSync(join(root, path, 'package.json'), '{}')
  }
  unpack('node_modules/zod/node_modules/inner')
  unpack('node_modules/belongs-to-it')
  expect(unpackedPackages(root)).toBe('1 of 3 packages unpacked')
  unpack('node_modules/zod')
  unpack('node_modules/node-pty')
  expect(unpackedPackages(root)).toBe('3 of 3 packages unpacked')
})
