import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../main/bootstrap/places.mjs'

interface Manifest {
  readonly allowScripts: Readonly<Record<string, boolean>>
}
interface Lock {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean; readonly resolved?: string }>>
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
const { allowScripts } = read('package.json') as Manifest
const { packages } = read('package-lock.json') as Lock
const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

describe('install scripts', () => {
  it('each package in the lock file is allowed or denied by name, and only our Node and the terminal module may run their scripts', () => {
    const scripted = Object.entries(packages).flatMap(([place, { hasInstallScript }]) => (hasInstallScript ? [nameOf(place)] : []))
    expect(scripted.filter((name) => allowScripts[name] === undefined)).toEqual([])
    expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(['node', 'node-pty'])
  })

  it('every decision is about a package in the lock file', () => {
    const locked = new Set(Object.keys(packages).map(nameOf))
    expect(Object.keys(allowScripts).filter((name) => !locked.has(name))).toEqual([])
  })
})

describe('the lock file', () => {
  it('contains no registry address', () => {
    const resolved = Object.values(packages).flatMap((entry) => (entry.resolved?.startsWith('http') ? [entry.resolved] : []))
    expect(resolved).toEqual([])
  })
})
