import { chmodSync, linkSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { benchOfEachTest } from './bench-of-each-test.ts'
import { effectsOf } from './workbench.ts'

const bench = benchOfEachTest()

const at = (name: string): string => join(bench.root, name)
const put = (content: string | Uint8Array): void => writeFileSync(at('a.txt'), content)
const now = (): string => readFileSync(at('a.txt'), 'utf8')
const edit = (old_string: string, new_string: string, more: object = {}) =>
  bench.call('edit_file', { file_path: 'a.txt', old_string, new_string, ...more })

describe('edit_file (P3-25)', () => {
  it('P3-24, T-01: replaces a unique text on disk, and no line number gets into the file', async () => {
    put('one\ntwo\nthree\nfour\nfive\n')
    await bench.call('read_file', { file_path: 'a.txt' })
    expect(await edit('two\nthree', 'TWO\nthree')).toEqual({
      output: 'Edited a.txt: 1 replacement.\n@@ line 2 @@\n one\n-two\n+TWO\n three\n four',
      isError: false,
      details: { files: [{ path: at('a.txt'), shown: 'a.txt', created: false, added: 1, removed: 1 }] },
    })
    expect(now()).toBe('one\nTWO\nthree\nfour\nfive\n')
  })

  it.each([
    ['edit_file', { file_path: "\u00e9t\u00e9's.ipynb", old_string: 'code', new_string: 'raw' }],
    ['multi_edit', { edits: [{ file_path: "\u00e9t\u00e9's.ipynb", old_string: 'code', new_string: 'raw' }] }],
    ['notebook_edit', { file_path: "\u00e9t\u00e9's.ipynb", cell_idx: 0, content: 'y' }],
  ])('fault 1: %s changes the file whose name looks the same, if it was read under that name', async (tool, args) => {
    const name = 'e\u0301te\u0301\u2019s.ipynb'
    const notebook = { cells: [{ cell_type: 'code', metadata: {}, outputs: [], source: [] }], metadata: {}, nbformat: 4, nbformat_minor: 4 }
    writeFileSync(at(name), JSON.stringify(notebook))
    await bench.call('read_file', { file_path: "\u00e9t\u00e9's.ipynb" })
    expect(effectsOf(await bench.prepare(tool, args))).toMatchObject([{ kind: 'write', path: at(name), shown: name }])
    expect(await bench.call(tool, args)).toMatchObject({ isError: false })
    expect(readdirSync(bench.root)).toEqual([name])
  })

  it('R-30: nothing is changed unless the number of matches equals expected_replacements', async () => {
    put('x\nb\nx x\n')
    expect(await edit('x', 'y', { expected_replacements: 2 })).toMatchObject({
      isError: true,
      output: 'old_string occurs 3 times in a.txt, not 2 times as expected_replacements says. Nothing was changed.',
    })
    expect(await edit('b', 'y', { expected_replacements: 3 })).toMatchObject({
      isError: true,
      output: 'old_string occurs once in a.txt, not 3 times as expected_replacements says. Nothing was changed.',
    })
    expect(await edit('x', 'y', { expected_replacements: 1 })).toMatchObject({ isError: true })
    expect(now()).toBe('x\nb\nx x\n')
    await edit('x', 'y', { expected_replacements: 3 })
    await edit('b', 'c', { expected_replacements: 1 })
    expect(now()).toBe('y\nc\ny y\n')
  })

  it('P3-24: replaces all matches on request, and lists a line with several matches once', async () => {
    put('x\nb\nx x\n')
    expect((await edit('x', 'y', { replace_all: true })).output).toBe(
      'Edited a.txt: 3 replacements.\n@@ line 1 @@\n-x\n+y\n b\n y y\n@@ line 3 @@\n y\n b\n-x x\n+y y',
    )
    expect(now()).toBe('y\nb\ny y\n')
  })

  it.each([
    ['a removed line', 'a\nb\nc\n', 'b\n', '', '@@ line 2 @@\n a\n-b\n c'],
    ['the removal of the last line', 'a\nb\n', 'b\n', '', '@@ line 2 @@\n a\n-b'],
    ['an inserted line', 'a\nc\n', 'a\n', 'a\nb\n', '@@ line 2 @@\n a\n+b\n c'],
    ['a change inside a line', 'a\none two\nc', 'two', '2', '@@ line 2 @@\n a\n-one two\n+one 2\n c'],
    ['two joined lines', 'a\nb\nc', '\nb', 'b', '@@ line 1 @@\n-a\n-b\n+ab\n c'],
    ['a change of the only line', 'a', 'a', 'b', '@@ line 1 @@\n-a\n+b'],
    ['a change right after a byte order mark', '\ufeffa\nb', 'a', 'x', '@@ line 1 @@\n-a\n+x\n b'],
  ])('P3-24: shows complete lines for %s', async (_, before, old, fresh, shown) => {
    put(before)
    expect((await edit(old, fresh)).output).toBe(`Edited a.txt: 1 replacement.\n${shown}`)
  })

  it('shows only the changed part of a one-megabyte line', async () => {
    put(`${'x'.repeat(500_000)}old${'y'.repeat(500_000)}`)
    const shown = (sign: string, word: string): string =>
      `${sign}…${'x'.repeat(100)}${word}${'y'.repeat(297)}… [line of 1000003 characters]`
    expect((await edit('old', 'new')).output).toBe(`Edited a.txt: 1 replacement.\n@@ line 1 @@\n${shown('-', 'old')}\n${shown('+', 'new')}`)
  })

  it('fault 6: if the text is not found, the closest region is shown, and the file’s bytes and timestamp do not change', async () => {
    put('function a() {\n  return 1\n}\n\nfunction b() {\n  return 2\n}\n')
    const before = statSync(at('a.txt')).mtimeMs
    expect(await edit('function b() {\n    return 2\n  }', 'x')).toEqual({
      output:
        'old_string was not found in a.txt. Nothing was changed. It differs from these lines only in white space:\n' +
        '     5\tfunction b() {\n     6\t  return 2\n     7\t}',
      isError: true,
      details: null,
    })
    expect([now().length, statSync(at('a.txt')).mtimeMs]).toEqual([57, before])
  })

  it('fault 6: a match that differs only in capitalization is shown but not used', async () => {
    put('// \u0130 marker\nconst maxRetries = 1;\n')
    expect((await edit('const MaxRetries = 1;', 'x')).output).toContain(
      'It differs from these lines only in capitals:\n     2\tconst maxRetries = 1;',
    )
    expect((await edit('CONST MAXRETRIES', 'x')).isError).toBe(true)
  })

  it('fault 6: lists similar lines if there is no match, or says that there are none', async () => {
    put('const total = price * count\nlog(total)\n')
    expect((await edit('const total = prize * count', 'x')).output).toContain('The closest lines are:\n     1\tconst total = price * count')
    expect((await edit('zzzzzzzz', 'x')).output).toContain('Nothing in the file is similar.')
  })

  it('says if the text contains line numbers from read_file', async () => {
    put('one\ntwo\n')
    expect((await edit('     1\tone', 'x')).output).toContain('Leave out the numbers')
    expect((await edit('one\n2 | two', 'x')).output).toContain('The text is in the file without the line numbers: leave them out.')
    expect(now()).toBe('one\ntwo\n')
  })

  it('says if quotes and line breaks are escaped twice', async () => {
    put('say("hi")\r\n\tbye()\r\n')
    expect((await edit(String.raw`say(\"hi\")\n\tbye()`, 'x')).output).toBe(
      'old_string was not found in a.txt. Nothing was changed. The text is in the file without the backslashes: send line breaks, tabs and quotes exactly as in the file, in new_string too.',
    )
    expect(now()).toBe('say("hi")\r\n\tbye()\r\n')
  })

  it('fault 7: if there are several matches, they are counted and listed, and nothing is changed', async () => {
    put('x\ny\nx\n')
    expect(await edit('x', 'z')).toEqual({
      output:
        'old_string occurs 2 times in a.txt, beginning at lines 1, 3. Nothing was changed. Add lines around it until it is unique, or set replace_all.',
      isError: true,
      details: null,
    })
    expect(now()).toBe('x\ny\nx\n')
  })

  it.each([
    ['the same text', 'a', 'a', 'old_string and new_string are the same, so the edit would change nothing.'],
    ['an empty old text', '', 'b', 'old_string must not be empty, because a.txt exists. Give the text to replace.'],
    ['a NUL', 'a', '\0', 'new_string contains a NUL character, which no text file may contain. Nothing was written.'],
    [
      'a lone surrogate',
      'a',
      '\udc00',
      'new_string contains half a character (a lone surrogate), which no file can store. Send the complete character. Nothing was written.',
    ],
    [
      'an omission',
      'a',
      'b\n  // ... rest of the code unchanged',
      'new_string omits code: "// ... rest of the code unchanged". It is written to the file exactly as given, so include all of the code.',
    ],
  ])('fault 8, fault 13, D-52: %s is refused', async (_, old, fresh, message) => {
    put('a')
    expect(await edit(old, fresh)).toEqual({ output: message, isError: true, details: null })
    expect(now()).toBe('a')
  })

  it('fault 8, D-51: an empty old text creates a missing file, as in other agents', async () => {
    expect(await bench.call('edit_file', { filePath: 'new/a.txt', oldString: '', newString: 'one\ntwo\n' })).toEqual({
      output: 'Edited new/a.txt: a new file.\n@@ line 1 @@\n+one\n+two',
      isError: false,
      details: { files: [{ path: at('new/a.txt'), shown: 'new/a.txt', created: true, added: 2, removed: 0 }] },
    })
    expect(readFileSync(at('new/a.txt'), 'utf8')).toBe('one\ntwo\n')
    expect(await bench.call('write_file', { file_path: 'new/a.txt', content: 'what was written counts as seen' })).toMatchObject({
      isError: false,
    })
  })

  it('fault 9: a file that changed since it was read is not edited', async () => {
    put('one')
    await bench.call('read_file', { file_path: 'a.txt' })
    put('one more')
    expect(await edit('one', 'two')).toEqual({
      output: 'a.txt has changed since you read it. Read it again before you change it.',
      isError: true,
      details: null,
    })
    expect(now()).toBe('one more')
  })

  it('an unread file can be edited, because the exact text must match', async () => {
    put('one')
    expect(await edit('one', 'two')).toMatchObject({ isError: false })
  })

  it('C10: a change between signature and write stops the edit', async () => {
    put('one')
    const prepared = await bench.prepare('edit_file', { file_path: 'a.txt', old_string: 'one', new_string: 'two' })
    put('three')
    expect(await bench.commit(prepared)).toMatchObject({
      isError: true,
      output: expect.stringContaining('has changed since this step was signed'),
    })
    expect(now()).toBe('three')
  })

  it('a missing file is reported with similar names, and a binary file is refused', async () => {
    put('a\0b')
    expect(await edit('a', 'b')).toMatchObject({
      isError: true,
      output: 'a.txt is a binary file, so no text in it can be replaced. Change it with a command, or regenerate it from its source.',
    })
    expect(await bench.call('edit_file', { file_path: 'a.tx', old_string: 'a', new_string: 'b' })).toMatchObject({
      isError: true,
      output: 'a.tx does not exist. Did you mean a.txt?',
    })
  })

  it('keeps the file mode and hard links', async () => {
    put('one')
    chmodSync(at('a.txt'), 0o751)
    linkSync(at('a.txt'), at('other'))
    await edit('one', 'two')
    expect([statSync(at('a.txt')).mode & 0o777, readFileSync(at('other'), 'utf8')]).toEqual([0o751, 'two'])
  })

  it('R-13, D-51: accepts other agents’ argument names', async () => {
    put('one')
    await bench.call('edit_file', { path: 'a.txt', old_str: 'one', new_str: 'two', replaceAll: null })
    expect(now()).toBe('two')
  })

  it('control files are marked, even if their names are capitalized differently or they do not exist yet', async () => {
    const effects = await Promise.all(
      ['.git/config', '.GIT/hooks/x', 'sub/AGENTS.md', 'package.json', 'a.txt'].map(async (file_path) =>
        effectsOf(await bench.prepare('write_file', { file_path, content: 'x' })),
      ),
    )
    expect(effects.flat().map((effect) => effect.kind === 'write' && effect.control)).toEqual([true, true, true, true, false])
  })
})
