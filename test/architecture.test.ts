import { wordList } from '../shared/lib/word-list.ts'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fileCycles, folderCycles } from './support/architecture/cycles.ts'
import { EXCEPTIONS } from './support/architecture/exceptions.ts'
import { repositorySources, topLevelEntries } from './support/architecture/repository.ts'
import { breaches, RULE_NAMES } from './support/architecture/rules.ts'
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
