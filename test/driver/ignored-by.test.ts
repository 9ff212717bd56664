import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ignoredBy } from '../../main/environment/search/ignore/ignore-rule.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-ignore-'))
  execFileSync('git', ['init', '-q', folder])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const NAMES = ['a', 'b', 'ab', 'build', 'x.log', 'keep.log', '.env', 'a b', 'A1', '.h', '.h\t', 'x ', 'x', ']', '-', 'z', '{a,b}', 'ü']
const PATTERNS = [
  '*.log',
  '!keep.log',
  'build/',
  '/build',
  'a/b',
  'a/**',
  '**/b',
  'a/**/b',
  '?',
  '[ab]',
  '[!a]',
  '*',
  '!*/',
  '!a',
  '# a',
  '\\#a',
  '',
  '  ',
  'a ',
  'a\\ b',
  'ab*',
  '*b',
  '/*',
  '!/a',
  'a/',
  '!a/b',
  '.*',
  '**',
  '**/a/**',
  'x.*',
  '\\a',
  'ü',
  '[a-b]b',
  'build/**/x.log',
  'a\\',
  '[[:alpha:]]',
  '[^[:alpha:]]',
  '[![:alpha:]]',
  '[[:upper:][:digit:]]',
  '[[:upper:]][[:digit:]]',
  '[[:alpha]',
  '[[:nonsense:]]a',
  '[:alpha:]',
  '[[:alnum:]-]',
  '[[:space:]]',
  '*[[:space:]]',
  '[[:punct:]]',
  '*[[:blank:]]*',
  '[[:graph:]]',
  '[[:xdigit:]]*',
  '{a,b}',
  '*.{log,env}',
  '.h\t',
  '.h\t ',
  'x\\ ',
  'x\\   ',
  'x  ',
  'x\\',
  '[\\]]',
  '[]]',
  '[]-]',
  '[z-a]',
  '[a-]',
  '[--0]',
  '[!]a]',
  '[^^]',
  '[a',
  'a[',
  '[]',
  '[!]',
  '[\\a-\\b]',
  '[a-b-z]',
  '\\*',
  '\\[a]',
  'a**',
  '**b',
  'a/b**',
  'a/**b',
  'a/b**/a',
  'a**/b',
  '***',
  'a/***',
  '***/b',
  '/',
  '//',
  '!',
  '!/',
  'a//',
  '//a',
  'a//b',
  '*/',
  '/*/',
  '*/b',
  '?b',
  '??',
  '?',
  '[ü]',
  'ü*',
  ' a',
  '\ta',
  '!!a',
  '\\!a',
  'a\r',
  '**/',
  '/**',
  '**/*',
  'a\\/b',
  '**\\/b',
  'a/**\\/b',
  '[/]',
  'a[/]b',
  'a[!x]b',
  'a?b',
  'build/*',
  '!build/a',
  '[.]*',
  '.[[:alpha:]]*',
]

interface Case {
  readonly patterns: readonly string[]
  readonly paths: readonly string[]
}

/**
 * Returns which paths git ignores in each case. Each case has its own folder, and one call of git covers all cases, because each process
 * costs time. The files need not exist.
 */
function saidByGit(cases: readonly Case[]): readonly (readonly string[])[] {
  const at = cases.map(({ patterns }, index) => {
    mkdirSync(join(folder, `${index}`), { recursive: true })
    writeFileSync(join(folder, `${index}/.gitignore`), patterns.join('\n'))
    return `${index}/`
  })
  const input = cases.flatMap(({ paths }, index) => paths.map((path) => `${at[index]}${path}`)).join('\0')
  const options = { input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  const { status, stdout, stderr } = spawnSync('git', ['-C', folder, 'check-ignore', '--no-index', '-z', '--stdin'], options)
  // Exit code 1 means that git ignores none of the paths.
  if (status !== 0 && status !== 1) throw new Error(stderr)
  const said = Object.groupBy(stdout.split('\0'), (path) => path.slice(0, path.indexOf('/') + 1))
  return at.map((prefix) => (said[prefix] ?? []).map((path) => path.slice(prefix.length)))
}

function expectAsGit(cases: readonly Case[]): void {
  const seen = (said: readonly (readonly string[])[]): unknown => cases.map(({ patterns }, index) => ({ patterns, out: said[index] }))
  expect(seen(cases.map(({ patterns, paths }) => ignoredBy(patterns.join('\n'), paths)))).toEqual(seen(saidByGit(cases)))
}

describe('which paths a .gitignore excludes', () => {
  test('agrees with git for any rules', () => {
    const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
    const rules = fc.record({
      patterns: fc.array(fc.constantFrom(...PATTERNS), { maxLength: 5 }),
      paths: fc.uniqueArray(path, { minLength: 1, maxLength: 12 }),
    })
    fc.assert(fc.property(fc.array(rules, { minLength: 100, maxLength: 100 }), expectAsGit), { numRuns: 5, endOnFailure: true })
  })

  test('agrees with git for any pattern', () => {
    const PIECES = ['a', 'b', 'x', '*', '**', '?', '/', '[', ']', '!', '^', '-', '\\', '.', ' ', '{', '}', ',', 'é', '[[:alpha:]]', '[:']
    const pattern = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))
    const names = fc.constantFrom('a', 'b', 'ab', 'x', 'a.b', '.a', 'a b', '[', ']', '!a', '\\', 'é', '-', '{a}', ' ')
    const path = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
    const rules = fc.record({
      patterns: fc.array(pattern, { minLength: 1, maxLength: 3 }),
      paths: fc.uniqueArray(path, { minLength: 20, maxLength: 20 }),
    })
    fc.assert(fc.property(fc.array(rules, { minLength: 200, maxLength: 200 }), expectAsGit), { numRuns: 5, endOnFailure: true })
  })

  test('a byte order mark before the first rule is not part of the rule', () => {
    const files = [
      ['\ufeffa', 'b'],
      ['\ufeff', 'a'],
      ['\ufeff# a', 'b'],
      ['b', '\ufeffa'],
      ['a', '', '!a'],
    ]
    expectAsGit(files.map((patterns) => ({ patterns, paths: ['a', 'b', 'ab'] })))
  })

  test('agrees with git on each pattern alone, with either line ending', () => {
    const below = NAMES.flatMap((name) => ['a', 'b', 'x', 'build'].map((above) => `${above}/${name}`))
    const paths = [...NAMES, ...below, 'a/x/b', 'a/b/a', 'a/ba/a', 'a/x/y/b']
    expectAsGit(PATTERNS.flatMap((pattern) => [[pattern], [`${pattern}\r`, '!x']].map((patterns) => ({ patterns, paths }))))
  })

  test('a path with a trailing slash is a folder', () => {
    expect(ignoredBy('build/', ['build', 'build/', './build/x'])).toEqual(['build/', './build/x'])
  })
})
