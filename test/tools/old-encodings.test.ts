import { Buffer } from 'node:buffer'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { encodingName } from '../../main/tools/text/encoding.ts'
import { isMultiByte } from '../../shared/encodings/old-encoding.ts'
import { OLD_TEXTS } from '../encodings/old-encodings.ts'
import { benchOfEachTest } from './bench-of-each-test.ts'
import { textOf } from './workbench.ts'

const bench = benchOfEachTest()

const bytesNow = (): Buffer => readFileSync(join(bench.root, 'a.txt'))

describe.each(OLD_TEXTS)('a file in %s', (encoding, base64, text, word) => {
  const before = Buffer.from(base64, 'base64')
  beforeEach(() => writeFileSync(join(bench.root, 'a.txt'), before))

  test('is shown with its own letters and the name of its encoding', async () => {
    const { output } = await bench.call('read_file', { file_path: 'a.txt' })
    const shown = text
      .trimEnd()
      .split('\n')
      .map((line, index) => `     ${index + 1}\t${line}`)
    expect(output).toBe(
      [...shown, `(The file is in ${encodingName(encoding)}, and stays in it. An edit can contain only characters of this encoding.)`].join(
        '\n',
      ),
    )
  })

  test.each([
    ['ripgrep', {}],
    ['our own search', { ripgrep: null }],
  ])('is searched with %s: each word that read_file shows is found, and the line is shown as read_file shows it', async (_, options) => {
    writeFileSync(join(bench.root, 'utf8.txt'), text)
    const env = createLocalExecutionEnvironment(bench.root, { searchTimeoutMs: 60_000, ...options })
    const line = text.split('\n').findIndex((one) => one.includes(word))
    for (const pattern of [word, `${word[0] ?? ''}.*${word.at(-1) ?? ''}`]) {
      const { matches } = await env.grep(pattern, '.')
      expect(matches.map(({ path }) => path)).toEqual(expect.arrayContaining(['a.txt', 'utf8.txt']))
      const [own] = matches.filter(({ path, line: at }) => path === 'a.txt' && at === line + 1)
      expect(own?.text).toBe(text.split('\n')[line])
    }
    expect((await env.grep(word, '.', { maxResults: 1 })).matches).toHaveLength(1)
    expect((await env.grep(word, 'a.txt')).matches.length).toBeGreaterThan(0)
  })

  test('gets new letters of its encoding from an edit, and every other byte stays', async () => {
    await bench.call('read_file', { file_path: 'a.txt' })
    const changed = await bench.call('edit_file', { file_path: 'a.txt', old_string: word, new_string: `${word}-${word}` })
    expect([changed.isError, textOf(changed.output)]).toEqual([false, expect.any(String) as string])
    const at = before.indexOf(bytesOf(word))
    expect(bytesNow()).toEqual(
      Buffer.concat([before.subarray(0, at), bytesOf(`${word}-${word}`), before.subarray(at + bytesOf(word).length)]),
    )
  })

  test('refuses a character that its encoding lacks, and stays unchanged', async () => {
    await bench.call('read_file', { file_path: 'a.txt' })
    const { isError, output } = await bench.call('edit_file', { file_path: 'a.txt', old_string: word, new_string: '🦊' })
    expect([isError, output]).toEqual([
      true,
      `a.txt is in ${encodingName(encoding)}, and new_string contains a character that this encoding lacks. Nothing was changed.`,
    ])
    expect(bytesNow()).toEqual(before)
  })

  test('is written as a whole in its encoding', async () => {
    await bench.call('read_file', { file_path: 'a.txt' })
    const content = `${text}${word}\n`
    expect((await bench.call('write_file', { file_path: 'a.txt', content })).isError).toBe(false)
    expect(bytesNow()).toEqual(Buffer.concat([before, bytesOf(`${word}\n`)]))
  })

  /** The bytes of letters that are in the text, taken from the file itself. */
  function bytesOf(letters: string): Buffer {
    const pieces = [...letters].map((letter) => {
      const at = text.indexOf(letter)
      if (letter < '\x80') return Buffer.from(letter)
      const start = lengthBefore(at)
      return before.subarray(start, start + width(letter))
    })
    return Buffer.concat(pieces)
  }
  const width = (letter: string): number => (letter < '\x80' || !isMultiByte(encoding) ? 1 : 2)
  const lengthBefore = (at: number): number => [...text.slice(0, at)].reduce((sum, letter) => sum + width(letter), 0)
})

test('a false match inside a character does not hide the match that begins in it', async () => {
  // In Shift-JIS, 「ア」 is 0x83 0x41, and 0x41 alone is “A”. Behind it, “AA” begins at the letter A that is text.
  const start = Buffer.from(OLD_TEXTS.find(([encoding]) => encoding === 'shift_jis')?.[1] ?? '', 'base64')
  const line = Buffer.from([0x83, 0x41, 0x41, 0x41, 0x0a])
  writeFileSync(join(bench.root, 'a.txt'), Buffer.concat([start, line]))
  await bench.call('read_file', { file_path: 'a.txt' })
  const edited = await bench.call('edit_file', { file_path: 'a.txt', old_string: 'AA', new_string: 'B', replace_all: true })
  expect([edited.isError, bytesNow()]).toEqual([false, Buffer.concat([start, Buffer.from([0x83, 0x41, 0x42, 0x0a])])])
})

test('text that begins in the second byte of a character of Shift-JIS is no match', async () => {
  // The second byte of 能 (0x94 0x5c) is the backslash.
  const [, base64 = ''] = OLD_TEXTS.find(([encoding]) => encoding === 'shift_jis') ?? []
  const before = Buffer.from(base64, 'base64')
  writeFileSync(join(bench.root, 'a.txt'), before)
  expect(before.includes(0x5c)).toBe(true)
  await bench.call('read_file', { file_path: 'a.txt' })
  expect((await bench.call('edit_file', { file_path: 'a.txt', old_string: '\\', new_string: '/' })).isError).toBe(true)
  expect(bytesNow()).toEqual(before)
})
