import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ExecutionEnvironment } from '../../../../main/agent/ports/execution-environment.ts'
import { createLocalExecutionEnvironment } from '../../../../main/environment/local-environment.ts'
import { codeOf } from '../../../../main/environment/environment-failure.ts'
import { failureOf, plant, tempFolder } from '../../support.ts'

const NAMES = ['a', 'b', 'aa', 'ab', 'a.ts', 'b.ts', 'é', '(a)', '[a]', '{a}', '#a', '!a', '+a', 'a|b', 'a,b', '@', '1', '02', 'A']

function overNames(): readonly [ExecutionEnvironment, ExecutionEnvironment] {
  const folder = tempFolder()
  plant(folder, Object.fromEntries(['', 'src/', 'src/dé/'].flatMap((at) => NAMES.map((name) => [at + name, 'x\n']))))
  return [createLocalExecutionEnvironment(folder), createLocalExecutionEnvironment(folder, { ripgrep: null })]
}

/** Returns the files that grep searches, or the message with which it refuses the pattern. */
async function picked(env: ExecutionEnvironment, includePattern: string): Promise<readonly string[] | string> {
  try {
    return (await env.grep('x', '.', { includePattern })).matches.map(({ path }) => path)
  } catch (error) {
    if (codeOf(error) !== 'EINVAL' || !(error instanceof Error)) throw error
    return error.message
  }
}

describe('fault 21, P2-51: one glob dialect', () => {
  const WRONG: readonly (readonly [string, string])[] = [
    ['[', String.raw`[ has no ]; write \[ for the character itself`],
    ['a[b', String.raw`[ has no ]; write \[ for the character itself`],
    ['[]', String.raw`[ has no ]; write \[ for the character itself`],
    ['{a', String.raw`{ has no }; write \{ for the character itself`],
    ['a}', String.raw`} has no {; write \} for the character itself`],
    ['a\\', String.raw`it ends with a single \; write \\ for the character itself`],
    ['[b-a]', String.raw`a range in one of its classes runs backwards; write \[ for the character itself`],
    [
      '[[:letters:]]*',
      'there is no class [:letters:]; the classes are alnum, alpha, blank, cntrl, digit, graph, lower, print, punct, space, upper, xdigit',
    ],
    ...['(a|b)', '@(a|b)', '+(a)', '!(a)', '*(a|b)', '?(a|b)', '+(a/b)'].map(
      (glob) => [glob, `${glob} is not supported; write {a,b} for alternatives, or \\( for the character itself`] as const,
    ),
    ['{**,a}'.repeat(10), 'its braces stand for too many paths; write fewer alternatives'],
    ['{1..9999}', '{1..9999} stands for more than 1000 numbers'],
    ['{a,aa}'.repeat(30), 'its braces stand for too many paths; write fewer alternatives'],
    ['a'.repeat(5_000), 'it is longer than 4096 characters'],
  ]

  it('stars in alternatives match a long name quickly, and an alternative can list many file extensions', async () => {
    const folder = tempFolder()
    const long = `${'a'.repeat(220)}.ts`
    plant(folder, { [long]: 'x\n', 'a,b,c.md': 'x\n' })
    const env = createLocalExecutionEnvironment(folder)
    const endings = 'ts,tsx,js,jsx,mjs,cjs,json,md,css,scss,html,yml,yaml,toml,py,rb,go,rs,c,h,cc,hh,java,kt,swift,sh,sql,txt,xml,svg'
    for (const glob of [
      '{*a*a*a*a*b,*.ts}',
      '*{a,b}*{a,b}*{a,b}*{a,b}*{.ts,.tsx}',
      '**/*{a,b}*{a,b}*.{ts,tsx,js}',
      `*.{${endings}}`,
      `{${endings.replaceAll(/\w+/gu, '*.$&')}}`,
      '**/**/a*/**/*.ts',
      '**/*.{ts,md}',
    ]) {
      const found = glob.startsWith('**/**/a') ? [] : [long, ...(glob.includes('md') ? ['a,b,c.md'] : [])]
      expect([glob, (await env.glob(glob, '.')).paths.toSorted()]).toEqual([glob, found.toSorted()])
      expect([glob, [...(await picked(env, glob))].toSorted()]).toEqual([glob, found.toSorted()])
    }
    expect((await env.glob('a,b,c.md', '.')).paths).toEqual(['a,b,c.md'])
  })

  it.each(WRONG)('%j is refused by grep, our own search and glob for the same reason', async (glob, why) => {
    const [env, own] = overNames()
    const include = { code: 'EINVAL', message: `The include pattern ${glob} cannot be used: ${why} (EINVAL).` }
    expect(await failureOf(env.grep('x', '.', { includePattern: glob }))).toEqual(include)
    expect(await failureOf(own.grep('x', '.', { includePattern: glob }))).toEqual(include)
    expect(await failureOf(env.grep('x', 'a', { includePattern: glob }))).toEqual(include)
    expect(await failureOf(env.glob(glob, '.'))).toEqual({
      code: 'EINVAL',
      message: `The pattern ${glob} is not well formed: ${why} (EINVAL).`,
    })
  })

  it.each([
    ['!', 'it names nothing'],
    ['../a', 'it can only select files below the searched folder; set path to another folder'],
  ])('%j is refused as an include pattern, too', async (glob, why) => {
    const words = `The include pattern ${glob} cannot be used: ${why} (EINVAL).`
    expect(await Promise.all(overNames().map((env) => picked(env, glob)))).toEqual([words, words])
  })

  it.each([
    ['+(a', []],
    ['*(a)', ['(a)']],
    [String.raw`+\(a\)`, []],
    ['(a)', ['(a)']],
    ['{1..3}', ['1']],
    [String.raw`[\]\-@]`, ['@']],
    ['{b..a}', ['a', 'b']],
    ['{1..9..8}', ['1']],
    ['[[:alpha:]]', ['A', 'a', 'b']],
    ['[[:blank:]-@]', ['@']],
    ['[[:upper:]-a]', ['A', 'a']],
    ['[![:alpha:][:digit:]]', ['@', 'é']],
    ['[a]', ['[a]', 'a']],
    ['{a}', ['a', '{a}']],
    ['{01..03}', ['02']],
    ['?', ['1', '@', 'A', 'a', 'b', 'é']],
    ['[é]', ['é']],
    ['[!a-b]', ['1', '@', 'A', 'é']],
    ['#a', ['#a']],
    [String.raw`\!a`, ['!a']],
    ['./a', ['a']],
  ])('%j selects %j in grep, in our own search and in glob', async (glob, names) => {
    const [env, own] = overNames()
    expect((await env.glob(glob, 'src')).paths.toSorted()).toEqual(names)
    // An include pattern with a slash is matched from the searched folder.
    const anywhere = glob.startsWith('./') ? [''] : ['', 'src/', 'src/dé/']
    const all = anywhere.flatMap((at) => names.map((name) => at + name)).toSorted()
    for (const which of [env, own]) {
      const found = await picked(which, glob)
      expect(typeof found === 'string' ? found : found.toSorted()).toEqual(all)
    }
  })

  it.each(['', '  '])('an include pattern of %j is treated as if there were no include pattern', async (glob) => {
    for (const env of overNames()) expect(await picked(env, glob)).toHaveLength(NAMES.length * 3)
  })

  it('on random globs, grep, our own search and glob select the same files or refuse with the same message', async () => {
    const [env, own] = overNames()
    const part = fc.constantFrom(
      'a',
      'b',
      'é',
      '*',
      '**',
      '?',
      '/',
      '[ab]',
      '[!a]',
      '[^é]',
      '{a,b}',
      '{a,',
      ',b}',
      '{',
      '}',
      '(',
      ')',
      '|',
      '!',
      '+(',
      '@(a|b)',
      '*(',
      '?(',
      '.ts',
      '#',
      '@',
      '\\',
      '[',
      ']',
      'src',
      '-',
      ' ',
      '{1..2}',
      '{,a}',
      '{}',
      '!(a)',
      '[[:alpha:]]',
    )
    const globs = fc
      .tuple(fc.constantFrom('', '!', '**/', 'src/', './'), fc.array(part, { maxLength: 5 }))
      .map(([at, parts]) => at + parts.join(''))
    await fc.assert(
      fc.asyncProperty(globs, async (glob) => {
        const found = await picked(env, glob)
        expect(await picked(own, glob)).toEqual(found)
        if (glob.startsWith('!') || !glob.slice(0, -1).includes('/') || typeof found === 'string') return
        const listed = await env.glob(glob, '.').catch((error: unknown) => (codeOf(error) === 'EINVAL' ? null : Promise.reject(error)))
        if (listed && !glob.endsWith('/') && glob === glob.trimEnd()) expect(listed.paths.toSorted()).toEqual(found.toSorted())
      }),
      { numRuns: 40 },
    )
  }, 120_000)
})
