import { readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, test } from 'vitest'
import { contract } from '../shared/api/contract.ts'
import { repositorySources } from './support/architecture/repository.ts'
import { type Node, nodesIn, textOf } from './support/architecture/syntax.ts'

/** Parts that may stay unused, each with its reason. The list may only shrink. */
const EXCEPTIONS: readonly string[] = []

const sources = repositorySources().filter(({ path }) => !path.startsWith('test/') && !path.endsWith('.css'))
const inPage = sources.filter(({ path }) => path.startsWith('renderer/'))
const unused = (names: readonly string[], isUsed: (name: string) => boolean): readonly string[] =>
  names.filter((name) => !EXCEPTIONS.includes(name) && !isUsed(name))

describe('every part of the app is used outside the tests', () => {
  test('every endpoint of the contract is used by the page', () => {
    const asked = new Set(inPage.flatMap(({ members }) => members))
    const endpoints = Object.entries(contract).flatMap(([domain, verbs]) => Object.keys(verbs).map((verb) => `${domain}.${verb}`))
    expect(endpoints.length).toBeGreaterThan(30)
    expect(unused(endpoints, (name) => asked.has(name))).toEqual([])
  })

  test('every member of Host is used by the app', () => {
    const used = new Set(sources.flatMap(({ members }) => members))
    const members = membersOfHost()
    expect(members).toContain('notify')
    expect(unused(members, (name) => used.has(`host.${name}`))).toEqual([])
  })

  test('every export of the renderer is used by it', () => {
    // This file is left out, because it replaces a module of a package, and only that package imports its exports.
    const standIns = ['renderer/ui/diff/colours/unused-library-parts.ts'].filter((path) =>
      configs().includes(path.split('/').at(-1) ?? path),
    )
    const naming = new Map<string, number>()
    for (const { names } of sources) for (const name of names) naming.set(name, (naming.get(name) ?? 0) + 1)
    const exported = inPage.filter(({ path }) => !standIns.includes(path) && !path.endsWith('.config.ts'))
    const all = exported.flatMap(({ path, exported: own }) => own.map((name) => `${path} ${name}`))
    expect(all.length).toBeGreaterThan(300)
    // A name that occurs only once occurs only in its declaration.
    expect(unused(all, (name) => (naming.get(name.split(' ')[1] ?? '') ?? 0) > 1)).toEqual([])
  })
})

function membersOfHost(): readonly string[] {
  const program: unknown = parseAst(readFileSync(new URL('../main/host.ts', import.meta.url), 'utf8'), { lang: 'ts' })
  const host = nodesIn(program as Node).find((node) => node.type === 'TSInterfaceDeclaration' && textOf(node.id) === 'Host')
  const body = (host?.body as Node | undefined)?.body as readonly Node[] | undefined
  return (body ?? []).map((member) => textOf(member.key))
}

function configs(): string {
  return readFileSync(new URL('../renderer/vite.config.ts', import.meta.url), 'utf8')
}
