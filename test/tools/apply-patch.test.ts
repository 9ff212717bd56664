import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { asNobody } from './as-nobody.ts'
import { patchBench, patchOf } from './patch-bench.ts'
import { effectsOf } from './workbench.ts'

const { bench, at, put, now, apply } = patchBench()

describe('apply_patch', () => {
  it('P3-30, P3-31, P3-34, P3-37, S-23, T-01: adds, updates, moves and deletes files in one call and reports each change', async () => {
    put('b.txt', 'one\ntwo\nthree\n')
    put('c.txt', 'gone\n')
    put('d.txt', 'stays\nold\n')
    await bench().call('read_file', { file_path: 'b.txt' })
    const result = await apply(
      '*** Add File: new/a.txt',
      '+hello',
      '+',
      '+world',
      '*** Update File: b.txt',
      '@@',
      ' one',
      '-two',
      '+TWO',
      '@@ two',
      ' three',
      '+four',
      '*** Delete File: c.txt',
      '*** Update File: d.txt',
      '*** Move to: e/d.txt',
      '@@',
      '-old',
      '+new',
    )
    expect(result).toEqual({
      output: 'Applied 4 operations: added new/a.txt, updated b.txt (2 hunks), deleted c.txt, moved d.txt to e/d.txt (1 hunk).',
      isError: false,
      details: {
        files: [
          { path: at('new/a.txt'), shown: 'new/a.txt', created: true, added: 3, removed: 0 },
          { path: at('b.txt'), shown: 'b.txt', created: false, added: 2, removed: 1 },
          { path: at('c.txt'), shown: 'c.txt', created: false, deleted: true, added: 0, removed: 0 },
          { path: at('d.txt'), shown: 'd.txt', created: false, deleted: true, added: 0, removed: 0 },
          { path: at('e/d.txt'), shown: 'e/d.txt', created: true, added: 1, removed: 1 },
        ],
      },
    })
    expect([now('new/a.txt'), now('b.txt'), now('e/d.txt')]).toEqual(['hello\n\nworld\n', 'one\nTWO\nthree\nfour\n', 'stays\nnew\n'])
    expect([existsSync(at('c.txt')), existsSync(at('d.txt'))]).toEqual([false, false])
  })

  it('shows all effects before it changes anything', async () => {
    put('b.txt', 'one\n')
    put('c.txt', 'gone\n')
    const patch = patchOf('*** Update File: b.txt', '-one', '+two', '*** Delete File: c.txt', '*** Add File: .git/hooks/x', '+x')
    const effects = effectsOf(await bench().prepare('apply_patch', { patch }))
    expect(effects.map((effect) => [effect.kind, 'shown' in effect && effect.shown, 'control' in effect && effect.control])).toEqual([
      ['write', 'b.txt', false],
      ['delete', 'c.txt', false],
      ['write', '.git/hooks/x', true],
    ])
    expect([now('b.txt'), readdirSync(bench().root)]).toEqual(['one\n', ['b.txt', 'c.txt']])
  })

  it('P3-35: new lines get the file’s indentation, and the result says that they were adapted', async () => {
    put('a.py', 'def f():\n\treturn 1\n')
    const result = await apply('*** Update File: a.py', '@@', ' def f():', '+    x = 2', '     return 1')
    expect(now('a.py')).toBe('def f():\n\tx = 2\n\treturn 1\n')
    expect(result.output).toBe(
      'Applied 1 operation: updated a.py (1 hunk).\nHunk 1 of a.py was found with different whitespace, at line 1, and its new lines were adapted to the whitespace of the file; check that this is right.',
    )
  })

  it('S-43: loosely matching context lines are accepted and kept as in the file, and the result names the difference', async () => {
    put('a.txt', 'say(“a”)\n  x\n')
    expect((await apply('*** Update File: a.txt', '@@', ' say("a")', '-  x', '+  y')).output).toBe(
      'Applied 1 operation: updated a.txt (1 hunk).\nHunk 1 of a.txt was found with different punctuation or whitespace, at line 1; check that this is right.',
    )
    expect(now('a.txt')).toBe('say(“a”)\n  y\n')
  })
})

it('S-43: a hunk with an unknown anchor is applied at its only match, and the result says that the anchor was not found', async () => {
  put('a.txt', 'one\ntwo\n')
  expect(await apply('*** Update File: a.txt', '@@ class \u001bX', '-two', '+2')).toMatchObject({
    output: [
      'Applied 1 operation: updated a.txt (1 hunk).',
      String.raw`Hunk 1 of a.txt was found without its anchor "class \u{1b}X", which does not match a line there, at line 2; check that this is right.`,
    ].join('\n'),
  })
  expect(now('a.txt')).toBe('one\n2\n')
})

describe('fault 19, P3-36: an error is reported with its line, and nothing is changed', () => {
  it.each([
    [
      'no begin marker',
      'nothing',
      'The patch cannot be read: The patch has no "*** Begin Patch" line. It must be the first line. Nothing was changed.',
    ],
    [
      'no end marker',
      '*** Begin Patch\n*** Delete File: a.txt',
      'The patch cannot be read: The patch has no "*** End Patch" line. It must be the last line. Nothing was changed.',
    ],
    [
      'text before the begin marker',
      'a word or two\n*** Begin Patch\n*** End Patch',
      'The patch cannot be read: line 1: "a word or two" comes before "*** Begin Patch". Send only the patch: nothing else is executed. Nothing was changed.',
    ],
    ['no operation', patchOf(), 'The patch cannot be read: The patch contains no operation. Nothing was changed.'],
    [
      'an unknown header',
      patchOf('*** Rename File: a.txt'),
      'The patch cannot be read: line 2: expected "*** Add File: …", "*** Update File: …" or "*** Delete File: …". Nothing was changed.',
    ],
    [
      'an unknown line in an update',
      patchOf('*** Update File: a.txt', '-one', '*** Rename: b'),
      'The patch cannot be read: line 4 (a.txt): "*** Rename: b" is not known here. Nothing was changed.',
    ],
    [
      'an unknown sign at the beginning of a line',
      patchOf('*** Update File: a.txt', '@@', '?one'),
      'The patch cannot be read: line 4 (a.txt): "?one" must begin with a space (context), - or +. Nothing was changed.',
    ],
    [
      'an added line without +',
      patchOf('*** Add File: b.txt', '+x', 'y'),
      'The patch cannot be read: line 4 (b.txt): every line of an added file begins with +. Nothing was changed.',
    ],
    [
      'lines after a deletion',
      patchOf('*** Delete File: a.txt', '-one'),
      'The patch cannot be read: line 3 (a.txt): nothing may follow "*** Delete File". Nothing was changed.',
    ],
    [
      'an update without hunks',
      patchOf('*** Update File: a.txt'),
      'The patch cannot be read: line 2 (a.txt): the update has no hunk. Nothing was changed.',
    ],
    [
      'a file without a name',
      patchOf('*** Add File: ', '+x'),
      'The patch cannot be read: line 2: the file has no name. Nothing was changed.',
    ],
    ...['Add', 'Delete', 'Update'].map((verb): [string, string, string] => [
      `a header "${verb} File" without colon and name`,
      patchOf(`*** ${verb} File `, '@@', '-one'),
      `The patch cannot be read: line 2: "*** ${verb} File" has no file name. Write "*** ${verb} File: " followed by the path. Nothing was changed.`,
    ]),
    [
      'an unknown header after another file',
      patchOf('*** Update File: a.txt', '-one', '*** update file b.txt', '-two'),
      'The patch cannot be read: line 4 (a.txt): "*** update file b.txt" has no file name. Write "*** Update File: " followed by the path. Nothing was changed.',
    ],
    [
      'control characters in a name and a line',
      patchOf('*** Update File: a\x1b[31m.txt', '@@', '\x1b[2Jx'),
      String.raw`The patch cannot be read: line 4 (a\u{1b}[31m.txt): "\u{1b}[2Jx" must begin with a space (context), - or +. Nothing was changed.`,
    ],
    [
      'context that is not in the file',
      patchOf('*** Update File: a.txt', '@@', ' zzzzzz', '-one'),
      'The hunk for a.txt (line 3) was not found. The closest lines are:\n     1\tone\n     2\ttwo\nNothing was changed.',
    ],
    [
      'a file that is not there',
      patchOf('*** Update File: b.txt', '-one', '+x'),
      'b.txt does not exist. Did you mean a.txt? Nothing was changed.',
    ],
    ['the removal of a missing file', patchOf('*** Delete File: b.txt'), 'b.txt does not exist. Did you mean a.txt? Nothing was changed.'],
    [
      'an update of a file that the patch removed',
      patchOf('*** Delete File: a.txt', '*** Update File: a.txt', '-one', '+x'),
      'a.txt no longer exists: an earlier operation of the patch deletes or moves it. Nothing was changed.',
    ],
    [
      'an update of a file that the patch moved',
      patchOf('*** Update File: a.txt', '*** Move to: c.txt', '*** Delete File: a.txt'),
      'a.txt no longer exists: an earlier operation of the patch deletes or moves it. Nothing was changed.',
    ],
    [
      'a change that is none',
      patchOf('*** Update File: a.txt', ' one'),
      'The patch would change nothing: the files already have this content.',
    ],
    [
      'a NUL',
      patchOf('*** Update File: a.txt', '-one', '+x\0'),
      'patch contains a NUL character, which no text file may contain. Nothing was written.',
    ],
    [
      'a move onto another file',
      patchOf('*** Update File: a.txt', '*** Move to: folder/x', '-one', '+x'),
      'folder/x already exists, and a move does not overwrite files. Nothing was changed.',
    ],
    [
      'an addition over an unread file',
      patchOf('*** Add File: folder/x', '+new'),
      'folder/x exists and you have not read it. Read it first, or edit a part of it. Nothing was changed.',
    ],
    [
      'an omission (D-52)',
      patchOf('*** Update File: a.txt', '-one', '+x', '+// ... rest of the code unchanged'),
      'line 3 (a.txt): the hunk omits code: "// ... rest of the code unchanged". Write all of it. Nothing was changed.',
    ],
    [
      'a second file that fails',
      patchOf('*** Update File: a.txt', '-one', '+x', '*** Update File: folder/x', '-no', '+y'),
      expect.stringContaining('The hunk for folder/x (line 6) was not found.'),
    ],
  ])('%s', async (_, patch, message) => {
    put('a.txt', 'one\ntwo\n')
    put('folder/x', 'x\n')
    expect(await bench().call('apply_patch', { patch })).toEqual({ output: message, isError: true, details: null })
    expect([now('a.txt'), now('folder/x'), readdirSync(bench().root)]).toEqual(['one\ntwo\n', 'x\n', ['a.txt', 'folder']])
  })

  it('a folder is not removed', async () => {
    mkdirSync(at('folder'))
    expect(await apply('*** Delete File: folder')).toMatchObject({ isError: true, output: expect.stringContaining('folder') })
    expect(existsSync(at('folder'))).toBe(true)
  })

  it('a binary file is not edited (T-17)', async () => {
    put('a.bin', Buffer.from('one\n\0two\n'))
    expect(await apply('*** Update File: a.bin', '-one', '+x')).toMatchObject({
      output: 'a.bin is a binary file; hunks cannot be applied to it. Nothing was changed.',
    })
  })
})

describe('all or nothing', () => {
  it('T-17, 3.2: if a write fails halfway, everything is undone, including modes and removed files', async () => {
    put('a.txt', 'one\n')
    put('gone.sh', 'x\n')
    chmodSync(at('gone.sh'), 0o755)
    const result = await apply(
      '*** Update File: a.txt',
      '-one',
      '+two',
      '*** Add File: b',
      '+file',
      '*** Add File: b/c',
      '+below a file',
      '*** Delete File: gone.sh',
    )
    expect(result).toMatchObject({
      isError: true,
      output: expect.stringMatching(/^b\/c was not written: .* Nothing was changed: the changes already made were undone\.$/u),
    })
    expect([now('a.txt'), existsSync(at('b')), now('gone.sh'), statSync(at('gone.sh')).mode & 0o777]).toEqual([
      'one\n',
      false,
      'x\n',
      0o755,
    ])
  })

  it('a failing patch deletes neither a file that the user saves meanwhile nor a new file that the user edits', async () => {
    put('gone.txt', 'old\n')
    const patch = patchOf('*** Add File: new.txt', '+new', '*** Delete File: gone.txt')
    const { env } = bench()
    const writeBytes: typeof env.writeBytes = async (path, bytes, options) => {
      await env.writeBytes(path, bytes, options)
      put('gone.txt', 'saved\n')
      put('new.txt', 'new, continued\n')
    }
    const result = await bench().call('apply_patch', { patch }, { env: { ...env, writeBytes } })
    expect(result).toMatchObject({
      isError: true,
      output: expect.stringMatching(/^gone\.txt was not removed: The file has changed .* could not be restored: new\.txt\. Check them\.$/u),
    })
    expect([now('gone.txt'), now('new.txt')]).toEqual(['saved\n', 'new, continued\n'])
  })

  it('fault 14: an unwritable file is reported with the system’s reason, and earlier writes are undone', () => {
    put('a.txt', 'one\n')
    put('gone.txt', 'x\n')
    put('closed/b.txt', 'one\n')
    const patch = patchOf(
      '*** Update File: a.txt',
      '-one',
      '+two',
      '*** Add File: new.txt',
      '+new',
      '*** Update File: closed/b.txt',
      '-one',
      '+two',
      '*** Delete File: gone.txt',
    )
    chmodSync(at('closed/b.txt'), 0o444)
    chmodSync(at('closed'), 0o555)
    const script = `
      const { readdirSync, readFileSync } = await import('node:fs')
      const { output, isError } = await bench.call('apply_patch', { patch: ${JSON.stringify(patch)} })
      return { output, isError, names: readdirSync(bench.root), a: readFileSync(bench.root + '/a.txt', 'utf8') }`
    const result = asNobody([bench().root, at('a.txt'), at('closed')], bench().root, script)
    // Without this, an ordinary user could not remove the folder.
    chmodSync(at('closed'), 0o755)
    expect(result).toEqual({
      output: expect.stringMatching(
        /^closed\/b\.txt was not written: .*permission denied.* Nothing was changed: the changes already made were undone\.$/u,
      ),
      isError: true,
      names: ['a.txt', 'closed', 'gone.txt'],
      a: 'one\n',
    })
  })

  it('C10: a file that changed since the signature stops the whole patch', async () => {
    put('a.txt', 'one\n')
    put('b.txt', 'one\n')
    const patch = patchOf('*** Update File: a.txt', '-one', '+two', '*** Update File: b.txt', '-one', '+two')
    const prepared = await bench().prepare('apply_patch', { patch })
    put('b.txt', 'meanwhile\n')
    expect(await bench().commit(prepared)).toMatchObject({
      isError: true,
      output: expect.stringContaining('b.txt has changed since this step was signed.'),
    })
    expect([now('a.txt'), now('b.txt')]).toEqual(['one\n', 'meanwhile\n'])
  })

  it('fault 9: a file that changed since it was read is not patched', async () => {
    put('a.txt', 'one\n')
    await bench().call('read_file', { file_path: 'a.txt' })
    put('a.txt', 'one\nmore\n')
    expect(await apply('*** Update File: a.txt', '-one', '+two')).toMatchObject({
      output: 'a.txt has changed since you read it. Read it again before you change it. Nothing was changed.',
    })
  })

  it('D-35: several sections for one file build on each other', async () => {
    const result = await apply(
      '*** Add File: a.txt',
      '+one',
      '*** Update File: a.txt',
      '-one',
      '+two',
      '*** Update File: a.txt',
      '*** Move to: b.txt',
      '-two',
      '+three',
      '*** Update File: b.txt',
      '-three',
      '+four',
    )
    expect(result).toMatchObject({ isError: false })
    expect([readdirSync(bench().root), now('b.txt')]).toEqual([['b.txt'], 'four\n'])
  })

  it('content written by a patch counts as read', async () => {
    await apply('*** Add File: a.txt', '+one')
    expect(await bench().call('write_file', { file_path: 'a.txt', content: 'two' })).toMatchObject({ isError: false })
  })
})
