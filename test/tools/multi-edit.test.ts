import { mkdirSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { benchOfEachTest } from './bench-of-each-test.ts'
import { effectsOf } from './workbench.ts'

const bench = benchOfEachTest()

const at = (name: string): string => join(bench.root, name)
const put = (name: string, content: string): void => writeFileSync(at(name), content)
const now = (name: string): string => readFileSync(at(name), 'utf8')

describe('multi_edit', () => {
  it('R-14, R-31: edits several files, and each edit sees the results of earlier edits', async () => {
    put('a.txt', 'one\n')
    put('b.txt', 'x\ny\n')
    const edits = [
      { file_path: 'a.txt', old_string: 'one', new_string: 'two' },
      { file_path: 'b.txt', old_string: 'x', new_string: 'X' },
      { file_path: 'a.txt', old_string: 'two', new_string: 'three' },
    ]
    expect(await bench.call('multi_edit', { edits })).toEqual({
      output:
        'Made 3 edits in 2 files.\n1. a.txt: 1 replacement.\n@@ line 1 @@\n-one\n+two\n2. b.txt: 1 replacement.\n@@ line 1 @@\n-x\n+X\n y\n' +
        '3. a.txt: 1 replacement.\n@@ line 1 @@\n-two\n+three',
      isError: false,
      details: {
        files: [
          { path: at('a.txt'), shown: 'a.txt', created: false, added: 1, removed: 1 },
          { path: at('b.txt'), shown: 'b.txt', created: false, added: 1, removed: 1 },
        ],
      },
    })
    expect([now('a.txt'), now('b.txt')]).toEqual(['three\n', 'X\ny\n'])
  })

  it('a failed edit is identified and leaves every file unchanged', async () => {
    put('a.txt', 'one\n')
    const edits = [
      { path: 'a.txt', old_string: 'one', new_string: 'two' },
      { path: 'a.txt', old_string: 'zzzz', new_string: 'x' },
    ]
    expect(await bench.call('multi_edit', { edits })).toMatchObject({
      isError: true,
      output: expect.stringMatching(/^Edit 2 of 2 failed, so no edit was made: old_string was not found in a\.txt\./u),
    })
    expect(now('a.txt')).toBe('one\n')
  })

  it.each([
    [
      'has renamed the text to replace',
      { path: 'a.txt', old_string: 'data', new_string: 'rows', replace_all: true },
      'was not found in a.txt',
    ],
    ['has duplicated the text to replace', { path: 'a.txt', old_string: 'x\n', new_string: 'f(data)\n' }, 'occurs 2 times in a.txt'],
  ])('fault 6: if an earlier edit %s, the message says that the text would match the original file', async (_, first, miss) => {
    put('a.txt', 'x\nf(data)\n')
    const { output } = await bench.call('multi_edit', { edits: [first, { path: 'a.txt', old_string: 'f(data)', new_string: 'g()' }] })
    expect(output).toContain(`Edit 2 of 2 failed, so no edit was made: old_string ${miss}`)
    expect(output).toContain('It would match the original file. Use the text as it is after the earlier edits.')
    expect(now('a.txt')).toBe('x\nf(data)\n')
  })

  it('R-14, D-51: an edit can create a missing file, and later edits can change it', async () => {
    const edits = [
      { oldString: '', newString: 'one\n' },
      { oldString: 'one', newString: 'two' },
    ]
    expect(await bench.call('multi_edit', { filePath: 'new.txt', edits })).toMatchObject({
      isError: false,
      details: { files: [{ path: at('new.txt'), shown: 'new.txt', created: true, added: 1, removed: 0 }] },
    })
    expect(now('new.txt')).toBe('two\n')
  })

  it('edits that cancel each other out are refused', async () => {
    put('a.txt', 'one\n')
    const edits = [
      { old_string: 'one', new_string: 'two' },
      { old_string: 'two', new_string: 'one' },
    ]
    expect(await bench.call('multi_edit', { file_path: 'a.txt', edits })).toMatchObject({
      isError: true,
      output: 'Together, the edits would change nothing.',
    })
  })

  it('D-51: accepts a single path for all edits, and other agents’ argument names', async () => {
    put('a.txt', 'one two\n')
    const edits = [
      { old_str: 'one', new_str: '1' },
      { oldText: 'two', newText: '2' },
    ]
    expect(await bench.call('multi_edit', { file_path: 'a.txt', edits })).toMatchObject({ isError: false })
    expect(now('a.txt')).toBe('1 2\n')
  })
})

describe('S-19: loose matches', () => {
  const edit = (old_string: string, new_string: string) => bench.call('edit_file', { file_path: 'a.txt', old_string, new_string })
  it.each([
    [
      'straight quotes for curly quotes',
      'say(“hi”) // it’s\n',
      `say("hi")`,
      'say("ho")',
      'say(“ho”) // it’s\n',
      'with different punctuation',
    ],
    [
      'curly quotes around changed text',
      'say(“hi”) // it’s\n',
      `say("hi")`,
      'say("a" + b)',
      'say(“a” + b) // it’s\n',
      'with different punctuation',
    ],
    ['a minus sign that is kept', 'x = y − 1\n', 'x = y - 1', 'x = z - 1', 'x = z − 1\n', 'with different punctuation'],
    [
      'unchanged lines that are kept',
      '“a”\n‘b’ c\n“d”\n',
      `"a"\n'b' c\n"d"`,
      `"a"\n'e' + f\n"d"`,
      `“a”\n'e' + f\n“d”\n`,
      'with different punctuation',
    ],
    ['trailing spaces', 'a  \nb\nc\n', 'a\nb', 'a\nB', 'a  \nB\nc\n', 'with different whitespace'],
    [
      'deeper indentation in the file',
      'if x:\n    a()\n    b()\n',
      'a()\nb()\n',
      'a()\nif y:\n    c()\n',
      'if x:\n    a()\n    if y:\n        c()\n',
      'with different whitespace',
    ],
    [
      'spaces for tabs',
      'if x {\n\ta()\n}\n',
      'if x {\n    a()\n}',
      'if x {\n    if y {\n        b()\n    }\n}',
      'if x {\n\tif y {\n\t\tb()\n\t}\n}\n',
      'with different whitespace',
    ],
    ['tabs for spaces', '  a\n    b\n', '\ta\n\t\tb\n', '\ta\n\t\tc\n', '  a\n    c\n', 'with different whitespace'],
    ['two spaces for four', 'a {\n    b\n}\n', 'a {\n  b\n}', 'a {\n  c\n}', 'a {\n    c\n}\n', 'with different whitespace'],
    [
      'spaces for tabs, with tabs in the new text',
      'a {\n\tb\n}\n',
      'a {\n    b\n}',
      'a {\n\tc\n}',
      'a {\n\tc\n}\n',
      'with different whitespace',
    ],
    ['different spaces inside a line', 'a  =  1;  // x\nb\n', 'a = 1; // x\nb', 'a = 2;\nb', 'a  =  2;\nb\n', 'with different whitespace'],
    ['less indentation in the file', 'a()\nb()\n', '    a()\n    b()', '    a()\n    c()', 'a()\nc()\n', 'with different whitespace'],
    ['spaces for the tabs of a table row', 'a\tb  c\td\n', 'a b c d', 'a b c e', 'a\tb  c\te\n', 'with different whitespace'],
    [
      'no-break spaces',
      '\u00a0\u00a0a()\n\u00a0\u00a0b\u00a0c\n',
      '  a()\n  b c\n',
      '  a()\n  b d\n',
      '\u00a0\u00a0a()\n\u00a0\u00a0b\u00a0d\n',
      'with different punctuation',
    ],
    [
      'curly quotes in the edit for straight quotes',
      'say("a")\nx\n',
      'say(“a”)\n',
      'say(“b”, “c”)\n',
      'say("b", "c")\nx\n',
      'with different punctuation',
    ],
    [
      'decomposed letters',
      'cafe\u0301()\nx\n',
      'caf\u00e9()\nx',
      'caf\u00e9()\ny',
      'cafe\u0301()\ny\n',
      'with different whitespace or punctuation',
    ],
  ])('%s: the edit is made and reported, because the match is unique', async (_, before, old, fresh, after, words) => {
    put('a.txt', before)
    const { output, isError } = await edit(old, fresh)
    expect([isError, now('a.txt')]).toEqual([false, after])
    expect(output).toContain(`1 replacement, found ${words} from old_string; check that it is the right place.`)
  })
  it.each([
    ['a hyphen where the file has a dash', 'a—b\n', 'a-b', 'a--b'],
    ['a new cell in tab-separated rows', 'a\tb\tc\n', 'a b c\n', 'a b x c\n'],
    ['two matches', ' x\n  x\n', 'x\n', 'y\n'],
    ['an indentation that differs from line to line', 'a()\n  b()\n', '  a()\n  b()', '  a()\n  c()'],
    ['different indentation for lines that the file indents alike', 'a:\n  b\n  c\n', 'a:\n\tb\n\t\tc\n', 'a:\n\tb\n\t\td\n'],
    ['different spaces inside two lines', 'a  = 1\na =  1\n', 'a = 1', 'a = 2'],
    ['part of a line with different spaces', 'x(a  = 1)\n', 'a = 1', 'a = 2'],
    ['spaces in the file where the edit has none', 'a( )\nb\n', 'a()\nb', 'c'],
  ])('%s: the edit is refused', async (_, before, old, fresh) => {
    put('a.txt', before)
    expect(await edit(old, fresh)).toMatchObject({ isError: true })
    expect(now('a.txt')).toBe(before)
  })
})

describe('delete_file', () => {
  it('D-51: removes one file, and the request shows its content', async () => {
    put('a.txt', 'one\n')
    const prepared = await bench.prepare('delete_file', { path: 'a.txt' })
    const [effect] = effectsOf(prepared)
    expect(effect).toMatchObject({ kind: 'delete', path: at('a.txt'), shown: 'a.txt', beforeBytes: 4, outside: false, control: false })
    expect(existsSync(at('a.txt'))).toBe(true)
    expect(await bench.commit(prepared)).toEqual({
      output: 'Deleted a.txt.',
      isError: false,
      details: { files: [{ path: at('a.txt'), shown: 'a.txt', created: false, deleted: true, added: 0, removed: 0 }] },
    })
    expect(existsSync(at('a.txt'))).toBe(false)
  })
  it('refuses a folder, a link and a missing file', async () => {
    mkdirSync(at('folder'))
    put('real', 'x')
    symlinkSync(at('real'), at('link'))
    for (const name of ['folder', 'link', 'nothing'])
      expect(await bench.call('delete_file', { file_path: name })).toMatchObject({ isError: true })
    expect([existsSync(at('folder')), existsSync(at('real')), existsSync(at('link'))]).toEqual([true, true, true])
  })
  it('C10: refuses a file that changed since it was signed', async () => {
    put('a.txt', 'one')
    const prepared = await bench.prepare('delete_file', { file_path: 'a.txt' })
    put('a.txt', 'two')
    expect(await bench.commit(prepared)).toMatchObject({ isError: true })
    expect(now('a.txt')).toBe('two')
  })
})
