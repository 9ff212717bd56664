import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ignoredBy } from '../../main/environment/search/ignored-by.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-ignore-'))
  execFileSync('git', ['init', '-q', folder])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const NAMES = ['a', 'b', 'ab', 'build', 'x.log', 'keep.log', '.env', 'a b', 'A1', '.h', '.h\t', 'x ', 'x', ']', '-', 'z', '{a,b}', 'ü']
const PATTERNS = [
  ...[
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
  ],
  ...['ab*', '*b', '/*', '!/a', 'a/', '!a/b', '.*', '**', '**/a/**', 'x.*', '\\a', 'ü', '[a-b]b', 'build/**/x.log', 'a\\'],
  ...['[[:alpha:]]', '[^[:alpha:]]', '[![:alpha:]]', '[[:upper:][:digit:]]', '[[:upper:]][[:digit:]]', '[[:alpha]', '[[:nonsense:]]a'],
  ...['[:alpha:]', '[[:alnum:]-]', '[[:space:]]', '*[[:space:]]', '[[:punct:]]', '*[[:blank:]]*', '[[:graph:]]', '[[:xdigit:]]*'],
  ...[
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
  ],
  ...[
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
  ],
  ...[
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
  ],
  ...['a\\/b', '**\\/b', 'a/**\\/b', '[/]', 'a[/]b', 'a[!x]b', 'a?b', 'build/*', '!build/a', '[.]*', '.[[:alpha:]]*'],
]

/** What git itself says; the files need not be there, only what is a folder must be one. */
function saidByGit(patterns: readonly string[], paths: readonly string[]): readonly string[] {
  writeFileSync(join(folder, '.gitignore'), patterns.join('\n'))
  const input = paths.join('\0')
  try {
    const out = execFileSync('git', ['-C', folder, 'check-ignore', '--no-index', '-z', '--stdin'], { input, encoding: 'utf8' })
    return out.split('\0').filter((path) => path !== '')
  } catch (error) {
    if ((error as { status?: number }).status === 1) return []
    throw error
  }
}

describe('which paths a .gitignore leaves out', () => {
  test('is what git says, whatever the rules', () => {
    const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...PATTERNS), { maxLength: 5 }),
        fc.uniqueArray(path, { minLength: 1, maxLength: 12 }),
        (patterns, paths) => {
          expect(ignoredBy(patterns.join('\n'), paths)).toEqual(saidByGit(patterns, paths))
        },
      ),
      { numRuns: 250 },
    )
  })

  test('a byte order mark before the first rule is none of it', () => {
    for (const patterns of [
      ['\ufeffa', 'b'],
      ['\ufeff', 'a'],
      ['\ufeff# a', 'b'],
      ['b', '\ufeffa'],
      ['a', '', '!a'],
    ]) {
      expect(ignoredBy(patterns.join('\n'), ['a', 'b', 'ab'])).toEqual(saidByGit(patterns, ['a', 'b', 'ab']))
    }
  })

  test.each(PATTERNS)('%j alone is what git says', (pattern) => {
    const paths = [
      ...NAMES,
      ...NAMES.flatMap((name) => ['a', 'b', 'x', 'build'].map((folder) => `${folder}/${name}`)),
      'a/x/b',
      'a/b/a',
      'a/ba/a',
      'a/x/y/b',
    ]
    expect(ignoredBy(pattern, paths)).toEqual(saidByGit([pattern], paths))
    expect(ignoredBy(`${pattern}\r\n!x`, paths)).toEqual(saidByGit([`${pattern}\r`, '!x'], paths))
  })

  test('a path with a slash at its end is a folder', () => {
    expect(ignoredBy('build/', ['build', 'build/', './build/x'])).toEqual(['build/', './build/x'])
  })
})
