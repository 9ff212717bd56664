import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changingPackages, freshness, writeStamp } from '../../main/bootstrap/lock.mjs'
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

describe('whether the packages are what the lock file names', () => {
  test('a clone without packages has none', () => {
    expect(freshness(clone(null))).toBe('absent')
  })

  test('a folder that an interrupted npm left behind counts as none', () => {
    const root = clone(null)
    mkdirSync(join(root, 'node_modules', 'zod'), { recursive: true })
    expect(freshness(root)).toBe('absent')
  })

  test('packages installed by hand are taken as they are', () => {
    expect(freshness(clone(INSTALLED))).toBe('fresh')
  })

  test('another version than the locked one is stale', () => {
    expect(freshness(clone({ ...INSTALLED, 'node_modules/zod': { version: '4.6.6' } }))).toBe('stale')
  })

  test('a package that is not there is stale', () => {
    expect(freshness(clone({ 'node_modules/node-pty': { version: '1.1.0' } }))).toBe('stale')
  })

  test('the terminal module that npm could not compile, and dropped, is stale', () => {
    expect(freshness(clone({ 'node_modules/zod': { version: '4.6.7' } }))).toBe('stale')
  })

  test('a compiled package for this machine that npm left out is stale', () => {
    const root = clone(INSTALLED)
    const compiled = { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] }
    writeFileSync(join(root, 'package-lock.json'), lock({ ...LOCKED, 'node_modules/made-for-us': compiled }))
    expect(freshness(root)).toBe('stale')
  })

  test('what npm recorded does not matter while the stamp fits', () => {
    const root = clone({})
    writeStamp(root)
    expect(freshness(root)).toBe('fresh')
  })

  test('a lock file that has changed since makes it stale, and putting it back makes it fresh', () => {
    const root = clone({})
    writeStamp(root)
    writeFileSync(join(root, 'package-lock.json'), lock({ ...LOCKED, 'node_modules/zod': { version: '4.7.0' } }))
    expect(freshness(root)).toBe('stale')
    writeFileSync(join(root, 'package-lock.json'), lock(LOCKED))
    expect(freshness(root)).toBe('fresh')
  })

  test('a changed package.json alone is settled by what is installed', () => {
    const root = clone(INSTALLED)
    writeStamp(root)
    writeFileSync(join(root, 'package.json'), '{"scripts":{}}')
    expect(freshness(root)).toBe('fresh')
  })

  test('a lock file cut off in the middle is not taken for an empty one', () => {
    const root = clone(INSTALLED)
    writeFileSync(join(root, 'package-lock.json'), '{"packages":{')
    expect(freshness(root)).toBe('stale')
  })

  test('a change that was interrupted leaves nothing to be trusted, a finished one does', async () => {
    const root = clone(INSTALLED)
    await expect(changingPackages(root, () => Promise.reject(new Error('killed')))).rejects.toThrow('killed')
    expect(freshness(root)).toBe('absent')
    await changingPackages(root, () => Promise.resolve())
    expect(freshness(root)).toBe('fresh')
  })

  test('a stamp goes with the packages', () => {
    const root = clone(INSTALLED)
    writeStamp(root)
    rmSync(join(root, 'node_modules'), { recursive: true })
    expect(freshness(root)).toBe('absent')
  })
})
