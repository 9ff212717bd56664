import { wordList } from '../shared/lib/word-list.ts'
import { readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, test } from 'vitest'
import { contract } from '../shared/api/contract.ts'
import { fileCycles, folderCycles } from './support/architecture/cycles.ts'
import { loadedPackages, loadedTooEarly } from './support/architecture/load-time.ts'
import { EXCEPTIONS } from './support/architecture/exceptions.ts'
import { repositorySources, topLevelEntries } from './support/architecture/repository.ts'
import { breaches, RULE_NAMES } from './support/architecture/rules.ts'
import { type Node, nodesIn, textOf } from './support/architecture/syntax.ts'
import { strayTools } from './support/architecture/tool-homes.ts'

/**
 * Names allowed at the first level of a clone (DESIGN §2), and generated names that git ignores. Names with a leading dot are always
 * allowed.
 */
const TOP_LEVEL = wordList(`
  main preload renderer shared test docs package.json package-lock.json tsconfig.json electron-builder.yml README.md LICENSE
  DECISIONS.md CHANGELOG.md CONTRIBUTING.md
`)
const GENERATED = ['node_modules', 'dist', 'release', 'coverage', 'test-results', 'playwright-report']

const sources = repositorySources()
const found = breaches(sources)
const isExcepted = ({ rule, file }: { readonly rule: string; readonly file: string }): boolean =>
  EXCEPTIONS.some((exception) => exception.rule === rule && exception.file === file)

describe('architecture of the source', () => {
  test.each(RULE_NAMES)('%s', (rule) => {
    const own = found.filter((breach) => breach.rule === rule && !isExcepted(breach))
    expect(own.map(({ file, words }) => `${file}: ${words}`)).toEqual([])
  })

  test('folders have no circular dependencies', () => {
    expect(folderCycles(sources.filter(({ path }) => !path.startsWith('test/')))).toEqual([])
  })

  test('no file imports itself indirectly', () => {
    expect(fileCycles(sources)).toEqual([])
  })

  test.each(['main/compose/app.ts', 'main/run.ts', 'main/compose/served-app.ts'])(
    '%s loads nothing that it also loads on demand',
    (start) => {
      expect(loadedTooEarly(sources, start)).toEqual([])
    },
  )

  test('only a few packages are loaded at start', () => {
    expect(loadedPackages(sources, 'main/run.ts')).toEqual(['diff/lib/diff/array.js', 'unbash', 'zod'])
  })

  test('a tool consists of one file in shared, one file in main and one line in each list', () => {
    expect(strayTools(sources)).toEqual([])
  })

  test('only one file of the page decides whether a key belongs to an input method', () => {
    const reads = (member: string): boolean => member.endsWith('.isComposing')
    const deciding = sources.filter(({ path, members }) => path.startsWith('renderer/') && members.some(reads))
    expect(deciding.map(({ path }) => path)).toEqual(['renderer/ui/is-composing.ts'])
  })

  test('docs/reading-a-tool-call.md lists ten existing files', () => {
    const rows = readFileSync('docs/reading-a-tool-call.md', 'utf8').matchAll(/^\| \d+ \| `([^`]+)`/gmu)
    const listed = [...rows].map(([, path]) => path)
    expect(listed).toHaveLength(10)
    expect(listed.filter((path) => !sources.some((source) => source.path === path))).toEqual([])
  })

  test('the top-level entries of the repository are fixed', () => {
    const more = topLevelEntries().filter((name) => !name.startsWith('.') && ![...TOP_LEVEL, ...GENERATED].includes(name))
    expect(more).toEqual([])
  })

  test('every listed exception is still needed', () => {
    const unused = EXCEPTIONS.filter(({ rule, file }) => !found.some((breach) => breach.rule === rule && breach.file === file))
    expect(unused).toEqual([])
  })

  test('the check finds the source files', () => {
    expect(new Set(sources.map(({ path }) => path.split('/')[0]))).toEqual(new Set(['main', 'preload', 'renderer', 'shared', 'test']))
  })
})

/** Parts that may stay unused, each with its reason. The list may only shrink. */
const UNUSED: readonly string[] = []

const inApp = sources.filter(({ path }) => !path.startsWith('test/') && !path.endsWith('.css'))
const inPage = inApp.filter(({ path }) => path.startsWith('renderer/'))
const unusedOf = (names: readonly string[], isUsed: (name: string) => boolean): readonly string[] =>
  names.filter((name) => !UNUSED.includes(name) && !isUsed(name))

describe('every part of the app is used outside the tests', () => {
  test('every endpoint of the contract is used by the page', () => {
    const asked = new Set(inPage.flatMap(({ members }) => members))
    const endpoints = Object.entries(contract).flatMap(([domain, verbs]) => Object.keys(verbs).map((verb) => `${domain}.${verb}`))
    expect(endpoints.length).toBeGreaterThan(30)
    expect(unusedOf(endpoints, (name) => asked.has(name))).toEqual([])
  })

  test('every member of Host is used by the app', () => {
    const used = new Set(inApp.flatMap(({ members }) => members))
    const members = membersOfHost()
    expect(members).toContain('notify')
    expect(unusedOf(members, (name) => used.has(`host.${name}`))).toEqual([])
  })

  test('every export of the renderer is used by it', () => {
    // This file is left out, because it replaces a module of a package, and only that package imports its exports.
    const standIns = ['renderer/ui/diff/colours/unused-library-parts.ts'].filter((path) =>
      configs().includes(path.split('/').at(-1) ?? path),
    )
    const naming = new Map<string, number>()
    for (const { names } of inApp) for (const name of names) naming.set(name, (naming.get(name) ?? 0) + 1)
    const exported = inPage.filter(({ path }) => !standIns.includes(path) && !path.endsWith('.config.ts'))
    const all = exported.flatMap(({ path, exported: own }) => own.map((name) => `${path} ${name}`))
    expect(all.length).toBeGreaterThan(300)
    // A name that occurs only once occurs only in its declaration.
    expect(unusedOf(all, (name) => (naming.get(name.split(' ')[1] ?? '') ?? 0) > 1)).toEqual([])
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
