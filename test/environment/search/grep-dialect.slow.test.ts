import { describe, expect, it } from 'vitest'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'
import { failureOf, plant, tempFolder } from '../support.ts'

describe('fault 21: our own search finds what ripgrep finds, or says that the pattern needs ripgrep', () => {
  const lines = [
    'foo',
    'a foo b',
    'foobar',
    'Foo',
    'fOO',
    'ünï',
    'Ünï',
    'x\ty',
    'a]b',
    'a^b',
    'a-b',
    'a{2}',
    'aa',
    'aaa',
    '12',
    '٣',
    'a.b',
    '<foo>',
    '{',
    '}',
    ']',
    'a\rb',
    'Ωmega',
    'été',
    '  indented',
    'tab\u00a0nbsp',
    '😀',
    'a\\b',
    '#x',
    'f',
    'g',
    'foo\u2028bar',
    'aXbX',
    'abab',
    '',
    'a b',
    'ab',
    'a_b',
    'ſ',
    'K',
  ]
  it.each([
    'foo',
    'a.b',
    '^.$',
    '^..$',
    '^$',
    '^',
    '$',
    'b$',
    '^a$',
    'a|f',
    '(foo|f)(bar)?',
    '(?:f)oo',
    '(?i)FOO',
    'a{2}',
    '^a{2,}$',
    '^a{2,3}$',
    'a+?',
    'a*?b',
    String.raw`a\{2`,
    '}',
    ']',
    '[a-]',
    '[-a]',
    '[a-f]+$',
    '^[^a-z]+$',
    '^.😀?$',
    'é',
    '#',
    'ſ',
    's',
    'k',
    '😀',
    String.raw`\bfoo\b`,
    String.raw`\Bo\b`,
    String.raw`\w+`,
    String.raw`^\w+$`,
    String.raw`\W`,
    String.raw`\d`,
    String.raw`\D`,
    String.raw`\s`,
    String.raw`^\S+$`,
    String.raw`\t`,
    String.raw`\/`,
    String.raw`\-`,
    String.raw`\#x`,
    String.raw`\.`,
    String.raw`\\`,
  ])('%s', async (pattern) => {
    const folder = tempFolder()
    plant(folder, { a: `${lines.join('\n')}\n`, b: lines.join('\n') })
    const grep = (which: object, options: object) =>
      createLocalExecutionEnvironment(folder, which)
        .grep(pattern, '.', options)
        .then(({ matches }) => matches.map(({ path, line, text }) => `${path}:${line}:${text}`))
    for (const options of [{}, { caseSensitive: false }]) expect(await grep({ ripgrep: null }, options)).toEqual(await grep({}, options))
  })

  it.each(['^', '$', '^$', 'a$', '^a', '^.$', '^[^a]*$', String.raw`\s`])(
    'P2-50: with any line endings, and with or without a final newline: %s',
    async (pattern) => {
      const folder = tempFolder()
      const texts = ['']
      for (const text of texts) if (text.length < 4) texts.push(...['a', '\r', '\n'].map((next) => text + next))
      plant(folder, Object.fromEntries(texts.map((text) => [text.replaceAll('\r', 'r').replaceAll('\n', 'n') || 'empty', text])))
      for (const options of [{}, { contextLines: 1 }]) {
        const [found, ours] = await Promise.all(
          [{}, { ripgrep: null }].map((which) => createLocalExecutionEnvironment(folder, which).grep(pattern, '.', options)),
        )
        expect(ours).toEqual(found)
      }
    },
  )

  it.each([
    ['ab', ['a:1']],
    ['^a', ['a:1', 'a:2']],
  ])('a search across lines needs ripgrep, whatever the pattern: %s', async (pattern, found) => {
    const folder = tempFolder()
    plant(folder, { a: 'ab\na\n' })
    const grep = (which: object) => createLocalExecutionEnvironment(folder, which).grep(pattern, '.', { multiline: true })
    expect((await grep({})).matches.map(({ path, line }) => `${path}:${line}`)).toEqual(found)
    expect(await failureOf(grep({ ripgrep: null }))).toMatchObject({ code: 'EINVAL', message: expect.stringContaining('install ripgrep') })
  })

  it.each([
    ['a(?=b)', '(?='],
    [String.raw`(a)\1`, String.raw`\1`],
    ['[[:alpha:]]', '[, a class of more than letters and digits'],
    ['[a-z&&[^f]]', '[, a class of more than letters and digits'],
    [String.raw`[\w-]`, '[, a class of more than letters and digits'],
    [String.raw`\p{L}`, String.raw`\p`],
    [String.raw`\R`, String.raw`\R`],
    [String.raw`a\n`, String.raw`\n`],
    ['(?x)a', '(?x'],
    ['(?<n>a)', '(?<'],
    ['a{', 'an unescaped {'],
  ])('%j needs ripgrep, and the refusal names %j', async (pattern, part) => {
    const folder = tempFolder()
    plant(folder, { a: 'ab\n' })
    expect(await failureOf(createLocalExecutionEnvironment(folder, { ripgrep: null }).grep(pattern, '.'))).toEqual({
      code: 'EINVAL',
      message: `The pattern has ${part}, which needs ripgrep (rg), and ripgrep is not installed here. Use a simpler pattern, or install ripgrep.`,
    })
  })

  it.each(['(?>a)b', '(?&n)', 'a(?=b)++', String.raw`\X`, '(?(1)a|b)', String.raw`\p{Nonsense}`, String.raw`\y`, '(?<n', 'a)', '(?z)'])(
    'our own search refuses %s, which it does not support, and never reports "no match" for it',
    async (pattern) => {
      const folder = tempFolder()
      plant(folder, { a: 'ab\n' })
      expect(await failureOf(createLocalExecutionEnvironment(folder, { ripgrep: null }).grep(pattern, '.'))).toMatchObject({
        code: 'EINVAL',
      })
    },
  )
})
