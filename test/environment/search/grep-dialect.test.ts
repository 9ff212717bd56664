import { describe, expect, it } from 'vitest'
import { createLocalExecutionEnvironment } from '../../../main/environment/local.ts'
import { failureOf, plant, tempFolder } from '../support.ts'

describe('fault 21: our own search finds what ripgrep finds, in its dialect', () => {
  const lines = [
    ...[
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
    ],
    ...[
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
    ],
  ]
  it.each([
    ...[
      String.raw`\pL+`,
      String.raw`\p{L}{3}`,
      String.raw`\p{Greek}`,
      String.raw`\P{ascii}\w`,
      String.raw`\p{^L}`,
      String.raw`\p{Lu}`,
      String.raw`\p{lowercase_letter}`,
    ],
    ...[
      String.raw`\x{66}oo`,
      String.raw`\x66`,
      String.raw`\u{66}`,
      String.raw`\u0066`,
      String.raw`\U00000066`,
      String.raw`\<foo\>`,
      String.raw`\b{start}foo`,
      String.raw`foo\b{end-half}`,
    ],
    ...[
      String.raw`\bfoo\b`,
      String.raw`\Bo\b`,
      String.raw`\h`,
      String.raw`\H`,
      String.raw`\v`,
      '[a-z&&[^f]]+',
      '^[a-z&&[^f]]+$',
      '^[a-z--f]$',
      '^[a-f~~[f-g]]$',
    ],
    ...[
      '[]a]',
      '[^]]',
      '^[^]]$',
      '[a-]',
      '[-a]',
      '[[:upper:]]',
      '[[:^alpha:]]',
      '^[^[:alpha:]]$',
      String.raw`[\]]`,
      String.raw`[\d]`,
      String.raw`^[\w--\d]$`,
      '[[]',
      '[a[bc]]',
    ],
    ...[
      String.raw`\w+`,
      String.raw`^\w+$`,
      String.raw`\W`,
      String.raw`\d`,
      String.raw`\s`,
      String.raw`^\S+$`,
      'a.b',
      '^.$',
      '^..$',
      '(?s)a.b',
      'a{2}',
      '^a{2,}$',
      '^a{,2}$',
      String.raw`a\{2`,
      'a{',
      '{',
      '}',
      ']',
    ],
    ...[
      '(?i)FOO',
      'a(?i)FOO|f',
      '(?i:f)oo',
      '(?i)f(?-i)oo',
      '(?x) f o o',
      '(?U)a+',
      'a**',
      'a+?',
      'a++',
      '(?P<n>f)oo',
      '(?<n>f)oo',
      '(foo|f)(bar)?',
      '^$',
      '^',
      '$',
      'b$',
      '^a$',
      'a$',
      '(?m)^b',
    ],
    ...[
      String.raw`(a)(b)\1\2`,
      String.raw`(?<q>.)b\k<q>`,
      'foo(?=bar)',
      'foo(?!bar)',
      '(?<=a )foo',
      '(?<!a )foo',
      String.raw`\Qa.b\E`,
      String.raw`\Afoo`,
      String.raw`foo\z`,
      String.raw`foo\Z`,
      String.raw`\R`,
      String.raw`\n`,
      String.raw`o\s`,
      String.raw`o(?=\s)`,
    ],
    ...[
      String.raw`\/`,
      String.raw`\-`,
      String.raw`a\_b`,
      String.raw`\#x`,
      String.raw`\.`,
      'ſ',
      's',
      'k',
      '😀',
      '[😀]',
      '^.😀?$',
      'é',
      '#',
      '(?#c)foo',
      String.raw`foo\K`,
      String.raw`\a`,
      String.raw`[\x{61}-\x{62}]{2}`,
      '(?u:\\w)ï',
    ],
  ])('%s', async (pattern) => {
    const folder = tempFolder()
    plant(folder, { a: `${lines.join('\n')}\n`, b: lines.join('\n') })
    const grep = (which: object, options: object) =>
      createLocalExecutionEnvironment(folder, which)
        .grep(pattern, '.', options)
        .then(({ matches }) => matches.map(({ path, line, text }) => `${path}:${line}:${text}`))
    for (const options of [{}, { caseSensitive: false }]) expect(await grep({ ripgrep: null }, options)).toEqual(await grep({}, options))
  })

  it.each([
    ...['^', '$', '^$', 'a$', '^a', '^.$', '^[^a]*$', String.raw`\s`],
    ...[
      String.raw`\r`,
      String.raw`\n`,
      String.raw`a\r`,
      String.raw`a\r?\n`,
      String.raw`a$\n`,
      String.raw`[\r\n]`,
      String.raw`\R`,
      String.raw`\N`,
    ],
    ...['a(?!\n)', String.raw`$(?=\n)`, '(?<!a)$', '^(?!a)', '(?!b)$', '(?-m)a$', String.raw`\Aa`, String.raw`a\z`, String.raw`\z`],
  ])('P2-50: however lines end, and where the last one does not: %s', async (pattern) => {
    const folder = tempFolder()
    const texts = ['']
    for (const text of texts) if (text.length < 4) texts.push(...['a', '\r', '\n'].map((next) => text + next))
    plant(folder, Object.fromEntries(texts.map((text) => [text.replaceAll('\r', 'r').replaceAll('\n', 'n') || 'empty', text])))
    for (const options of [{}, { multiline: true, contextLines: 1 }]) {
      const [found, ours] = await Promise.all(
        [{}, { ripgrep: null }].map((which) => createLocalExecutionEnvironment(folder, which).grep(pattern, '.', options)),
      )
      expect(ours).toEqual(found)
    }
  })

  it.each([String.raw`\z`, '(?-m)$', String.raw`😀\z|c\z`])('no place lies inside a character: %s', async (pattern) => {
    const folder = tempFolder()
    plant(folder, { a: 'b\n😀\n😀c' })
    const grep = (which: object) => createLocalExecutionEnvironment(folder, which).grep(pattern, '.', { multiline: true })
    expect(await grep({ ripgrep: null })).toEqual(await grep({}))
  })

  it.each(['(?>a)b', '(?&n)', 'a(?=b)++', String.raw`\X`, '(?(1)a|b)', String.raw`\p{Nonsense}`, String.raw`\y`, '(?<n', 'a)', '(?z)'])(
    '%s, which it does not know, is refused and never "no match"',
    async (pattern) => {
      const folder = tempFolder()
      plant(folder, { a: 'ab\n' })
      expect(await failureOf(createLocalExecutionEnvironment(folder, { ripgrep: null }).grep(pattern, '.'))).toMatchObject({
        code: 'EINVAL',
      })
    },
  )
})
