import { describe, expect, it } from 'vitest'
import { failed, ok } from '../../../shared/lib/result.ts'
import { applyDiff } from '../../driver/program/apply-diff.ts'

const diff = (...lines: readonly string[]): string => lines.join('\n')

describe('P3-32, P3-33, P3-35, P3-38: placing hunks', () => {
  it.each([
    ['a replaced line', 'a\nb\nc\n', diff('@@', ' a', '-b', '+B', ' c'), 'a\nB\nc\n'],
    ['no @@ before the first hunk', 'a\nb\n', diff(' a', '-b', '+B'), 'a\nB\n'],
    ['several hunks', 'a\nb\nc\nd\ne\n', diff('@@', '-a', '+A', '@@', ' d', '-e', '+E'), 'A\nb\nc\nd\nE\n'],
    ['an inserted line', 'a\nc\n', diff('@@', ' a', '+b', ' c'), 'a\nb\nc\n'],
    ['a removed line', 'a\nb\nc\n', diff('@@', ' a', '-b', ' c'), 'a\nc\n'],
    ['blank lines without the leading space (T-11)', 'a\n\nb\n', diff('@@', ' a', '', '-b', '+c'), 'a\n\nc\n'],
    ['trailing spaces in a line', 'a  \nb\n', diff('@@', ' a', '-b', '+B'), 'a  \nB\n'],
    ['different indentation', '    a\n\tb\n', diff('@@', ' a', '-b', '+\tB'), '    a\n\tB\n'],
    ['curly quotes and long dashes', 'say(“a — b”)\nx\n', diff('@@', ' say("a - b")', '-x', '+y'), 'say(“a — b”)\ny\n'],
    ['composed and decomposed letters', 'cafe\u0301\nx\n', diff('@@', ' caf\u00e9', '-x', '+y'), 'cafe\u0301\ny\n'],
    [
      'curly quotes in the patch for straight quotes in the file',
      'x = "a"\ny = "b"\n',
      diff('@@', ' x = “a”', '-y = “b”', '+y = “c”', '+z = “d”'),
      'x = "a"\ny = "c"\nz = "d"\n',
    ],
    ['a place before the previous hunk', 'a\nb\nc\n', diff('@@', '-c', '+C', '@@', '-a', '+A'), 'A\nb\nC\n'],
    ['an empty line at the end of a hunk that is not in the file', 'a\nb\nc', diff('@@', '-a', '+A', '', '@@', '-c', '+C'), 'A\nb\nC'],
    ['two hunks with shared context', 'a\nb\nc\nd\n', diff('@@', ' a', '-b', '+B', ' c', '@@', ' c', '-d', '+D'), 'a\nB\nc\nD\n'],
    ['an added line above a line that another hunk replaces', 'a\nb\n', diff('@@', '-b', '+B', '@@ a', '+x'), 'a\nx\nB\n'],
    ['an empty line at the beginning of a hunk', 'a\nb\n', diff('@@', '', ' a', '-b', '+B'), 'a\nB\n'],
    ['a hunk with only context', 'a\nb\n', diff('@@', ' a'), 'a\nb\n'],
    ['an empty patch', 'a\n', '', 'a\n'],
    ['line numbers and a heading of a unified diff', 'x\nf() {\n a\n}\n', diff('@@ -2,2 +2,2 @@ f() {', '- a', '+ b'), 'x\nf() {\n b\n}\n'],
    ['a heading that is not a line of the file', 'a\n', diff('@@ -1 +1 @@ class X', '-a', '+b'), 'b\n'],
    ['file names of a unified diff', 'a\n', diff('--- a/x', '+++ b/x', '@@ -1 +1 @@', '-a', '+b'), 'b\n'],
    ['lines that only look like file names of a unified diff', '-- a\nb\n', diff('--- a', '+++ c', '@@', '-b', '+d'), '++ c\nd\n'],
    [
      'empty lines between hunks, and an empty hunk',
      'x\n\ny\n\nz\n',
      diff('', '@@', '', '@@', ' y', '+n', '', ' z', ''),
      'x\n\ny\nn\n\nz\n',
    ],
    ['only empty lines', 'a\n', diff('', '', ''), 'a\n'],
    [
      'an empty line after a line that the file also has before an empty line',
      'a\n\nb\na\nc\n',
      diff('@@', '-a', '+x', ' ', ' b', '@@', '-a', '+y', ''),
      'x\n\nb\ny\nc\n',
    ],
    ["the patch's end marker", 'a\n', diff('@@', '-a', '+b', '*** End Patch', ''), 'b\n'],
  ])('%s', (_, input, patch, output) => {
    expect(applyDiff(input, patch)).toEqual(ok(output))
  })

  it('D-36: characters that are only compatibility-equivalent in Unicode do not match', () => {
    expect(applyDiff('ﬁn\n', diff('@@', '-fin', '+x'))).toMatchObject({ ok: false })
    expect(applyDiff('a…\n', diff('@@', '-a...', '+x'))).toMatchObject({ ok: false })
  })

  it('an empty context line does not match a line that has text', () => {
    expect(applyDiff('a\nb\nc', diff('@@', ' a', '-b', '+B', ' '))).toMatchObject({ ok: false })
    expect(applyDiff('a\nb\nc\n', diff('@@', ' a', '-b', '+B', ' '))).toMatchObject({ ok: false })
  })

  it('P3-36: if the text is not found, the closest lines are shown', () => {
    expect(applyDiff('one\ntwo three\nfour\n', diff('@@', ' one', '-two thre', '+x'))).toEqual(
      failed('The hunk for the input (line 1) was not found. The closest lines are:\n     1\tone\n     2\ttwo three'),
    )
  })
})

describe('D-33, D-34: anchors and ambiguous places', () => {
  const twice = 'class A:\n  def f():\n    x\nclass B:\n  def f():\n    x\n'
  it('refuses text that occurs twice, and gives its lines', () => {
    expect(applyDiff('x\na\nx\n', diff('@@', '-x', '+y'))).toEqual(
      failed('The hunk for the input (line 1) matches exactly at 2 places, lines 1, 3. Add context lines, or an @@ line that is unique.'),
    )
  })
  it('refuses loose matches in two places, with or without an anchor', () => {
    expect(applyDiff('h\n x\na\n  x\n', diff('@@ h', '-x', '+y'))).toEqual(
      failed(
        'The hunk for the input (line 1) matches only loosely, and at 2 places, lines 2, 4. Add context lines, or an @@ line that is unique.',
      ),
    )
  })
  it('prefers a single exact match to loose matches', () => {
    expect(applyDiff(' x\nx\n', diff('@@', '-x', '+y'))).toEqual(ok(' x\ny\n'))
  })
  it('searches after the previous hunk', () => {
    expect(applyDiff('x\na\nx\n', diff('@@', ' a', '@@', '-x', '+y'))).toEqual(ok('x\na\ny\n'))
  })
  it('an anchor selects the match', () => {
    expect(applyDiff(twice, diff('@@ class B:', '-    x', '+    y'))).toEqual(ok(twice.replace(/x\n$/u, 'y\n')))
  })
  it('several anchors narrow the place from the outside in', () => {
    expect(applyDiff(twice, diff('@@ class B:', '@@   def f():', '-    x', '+    y'))).toEqual(ok(twice.replace(/x\n$/u, 'y\n')))
    expect(applyDiff(twice, diff('@@ class A:', '@@   def f():', '-    x', '+    y'))).toEqual(ok(twice.replace('x\n', 'y\n')))
  })
  it('an anchor that occurs twice selects nothing', () => {
    expect(applyDiff(twice, diff('@@   def f():', '-    x', '+    y'))).toMatchObject({ ok: false })
  })
  it('an anchor can be shortened, and can be the hunk’s first line', () => {
    expect(applyDiff(twice, diff('@@ class B', ' class B:', '-  def f():', '+  def g():'))).toEqual(
      ok('class A:\n  def f():\n    x\nclass B:\n  def g():\n    x\n'),
    )
  })
  it('an anchor can be any line of the hunk', () => {
    const input = 'a\nb\nc\nd\na\nb\nC\nd\n'
    expect(applyDiff(input, diff('@@ C', ' a', ' b', '-C', '+x'))).toEqual(ok(input.replace('C', 'x')))
    expect(applyDiff(input, diff('@@ c', ' a', '-b', '+x', ' c'))).toEqual(ok(input.replace('b', 'x')))
  })
  it('text that is only above its anchor is not changed, and the message says where it is', () => {
    expect(applyDiff('a\nb\nc\n', diff('@@ c', '-a', '+x'))).toEqual(
      failed(
        'The hunk for the input (line 1) matches at line 1, but not below its anchor "c". Use an @@ line that is above it, or a bare @@.',
      ),
    )
    expect(applyDiff('a\nb\na\nc\n', diff('@@ c', '-a', '+x'))).toEqual(
      failed(
        'The hunk for the input (line 1) matches at 2 places, lines 1, 3, but not below its anchor "c". Use an @@ line that is above it, or a bare @@.',
      ),
    )
  })
  it('T-17: a hunk with only additions goes directly below its anchor, or to the end without an anchor', () => {
    expect(applyDiff('a\nb\nc\n', diff('@@ a', '+new'))).toEqual(ok('a\nnew\nb\nc\n'))
    expect(applyDiff('a\nb\n', diff('@@', '+new'))).toEqual(ok('a\nb\nnew\n'))
    expect(applyDiff('a\nb', diff('@@', '+new'))).toEqual(ok('a\nb\nnew'))
    expect(applyDiff('', diff('@@', '+hello', '+world'))).toEqual(ok('hello\nworld\n'))
  })
  it.each([
    ['it is the only anchor', 'a\nb\n', diff('@@ nope', '-b', '+B'), 'a\nB\n'],
    ['it comes after a known anchor', 'A\n x\nB\n x\n', diff('@@ B', '@@ nope', '- x', '+ y'), 'A\n x\nB\n y\n'],
    ['it is between two @@ signs', 'fn a() {\n  b\n}\n', diff('@@ first hunk @@', '-  b', '+  c'), 'fn a() {\n  c\n}\n'],
    ['the hunk is at the end of the file', 'x\ny\nx\n', diff('@@ nope', '-x', '+z', '*** End of File'), 'x\ny\nz\n'],
  ])('an unknown anchor is ignored if there is only one match: %s', (_, input, patch, output) => {
    expect(applyDiff(input, patch)).toEqual(ok(output))
  })
  it('an unknown anchor selects nothing', () => {
    expect(applyDiff('a\n', diff('@@ nowhere', '+b'))).toEqual(
      failed('The hunk for the input (line 1) has the anchor "nowhere", which is not a line of the input.'),
    )
    expect(applyDiff('x\na\nx\n', diff('@@ nowhere', '-x', '+y'))).toEqual(
      failed(
        'The hunk for the input (line 1) has the anchor "nowhere", which is not a line of the input. Its lines match at 2 places, lines 1, 3.',
      ),
    )
    expect(applyDiff('B\n x\n x\n', diff('@@ B', '@@ nowhere', '- x', '+ y'))).toEqual(
      failed(
        'The hunk for the input (line 1) has the anchor "nowhere", which is not a line of the input. Its lines match at 2 places, lines 2, 3.',
      ),
    )
  })
  it('for an anchor that almost matches, the closest line is shown', () => {
    expect(applyDiff('x\ndef total(price):\n  y\n', diff('@@ def totals(price):', '+  z'))).toEqual(
      failed(
        'The hunk for the input (line 1) has the anchor "def totals(price):", which is not a line of the input. The closest is line 2: def total(price):',
      ),
    )
  })
  it('the message says if an anchor occurs only above the previous anchor', () => {
    expect(applyDiff('def f\nclass A\n', diff('@@ class A', '@@ def f', '+  x'))).toEqual(
      failed(
        'The hunk for the input (line 1) has the anchor "def f", which is not a line of the input below the anchor before it. The closest is line 1: def f',
      ),
    )
  })
  it('an empty line between anchors, or between an anchor and its hunk, is ignored', () => {
    const input = 'class A\n  def f\n    x\nclass B\n  def f\n    x\n'
    expect(applyDiff(input, diff('@@ class B', '', '@@   def f', '-    x', '+    y'))).toEqual(ok(input.replace(/x\n$/u, 'y\n')))
  })
  it('additions are not placed by the line numbers and headings of a unified diff, except in an empty file or at the end', () => {
    const unsure = failed(
      'The hunk for the input (line 1) has only + lines, and line numbers are not reliable enough to place them. Add context lines, or an @@ line that is unique.',
    )
    expect(applyDiff('a\nb\nc\n', diff('@@ -1,0 +2 @@', '+x'))).toEqual(unsure)
    expect(applyDiff('f() {\n  a\n  b\n}\n', diff('@@ -2,0 +3 @@ f() {', '+  x'))).toEqual(unsure)
    expect(applyDiff('', diff('@@ -0,0 +1,2 @@', '+x', '+y'))).toEqual(ok('x\ny\n'))
    expect(applyDiff('a\n', diff('@@ -1,0 +2 @@', '+x'))).toEqual(ok('a\nx\n'))
  })
  it('*** End of File selects the last of two matches', () => {
    expect(applyDiff('x\na\nx\n', diff('@@', '-x', '+y', '*** End of File'))).toEqual(ok('x\na\ny\n'))
    expect(applyDiff('x\na\n  x\n', diff('@@', '-x', '+y', '*** End of File'))).toEqual(ok('x\na\n  y\n'))
    expect(applyDiff('x\na\n', diff('@@', '-x', '+y', '*** End of File'))).toEqual(ok('y\na\n'))
  })
  it('two hunks cannot change the same line', () => {
    expect(applyDiff('a\nb\n', diff('@@', '-a', '-b', '+x', '@@ a', '+y'))).toEqual(
      failed('Hunk 2 of 2 for the input (line 5) changes lines that an earlier hunk changes too. Combine them into one hunk.'),
    )
    expect(applyDiff('a\nb\n', diff('@@', '-a', '+x', '@@', '-a', '+y'))).toEqual(
      failed('Hunk 2 of 2 for the input (line 4) changes lines that an earlier hunk changes too. Combine them into one hunk.'),
    )
  })
})

describe('D-31: the final newline', () => {
  it.each([
    ['is not added', 'a\nb', diff('@@', '-b', '+c'), 'a\nc'],
    ['is not added when the last line is removed', 'a\nb', diff('@@', '-b'), 'a'],
    ['is not added when a line is added', 'a\nb', diff('@@', ' b', '+c'), 'a\nb\nc'],
    ['stays', 'a\nb\n', diff('@@', '-b'), 'a\n'],
    ['is added when the patch adds it', 'a\nb', diff('@@', ' b', '+'), 'a\nb\n'],
    ['is removed when the patch removes it', 'a\nb\n', diff('@@', ' b', '-'), 'a\nb'],
    ['is removed by a “no newline” line of a unified diff', 'a\nb\n', diff('@@', '-b', '+c', '\\ No newline at end of file'), 'a\nc'],
    ['is added by a “no newline” line of a unified diff', 'a\nb', diff('@@', '-b', '\\ No newline at end of file', '+c'), 'a\nc\n'],
    ['is not added by an empty context line at the end', 'a\nb', diff('@@', ' a', '-b', '+c', ' '), 'a\nc'],
    ['is not added to a single line', 'a', diff('@@', '-a', '+b'), 'b'],
    ['is removed from a file that becomes empty', 'a\n', diff('@@', '-a'), ''],
  ])('%s', (_, input, patch, output) => {
    expect(applyDiff(input, patch)).toEqual(ok(output))
  })
})

describe('P3-35: new lines of a hunk found with different whitespace get the file’s indentation', () => {
  it.each([
    [
      'tabs, for a patch with four spaces',
      'def f():\n\tif a:\n\t\tb()\n',
      diff('@@', ' def f():', '     if a:', '-        b()', '+        c()', '+        if d:', '+            e()'),
      'def f():\n\tif a:\n\t\tc()\n\t\tif d:\n\t\t\te()\n',
    ],
    ['one line, one level deeper', '\tif a:\n', diff('@@', '     if a:', '+        b()'), '\tif a:\n\t\tb()\n'],
    ['two levels of tabs, one line', '\t\ta()\n', diff('@@', '-        a()', '+        b()', '+    c()', '+d()'), '\t\tb()\n\tc()\nd()\n'],
    ['spaces, for a patch with tabs', '  a {\n    b\n', diff('@@', ' \ta {', '-\t\tb', '+\t\tc', '+\t\t\td'), '  a {\n    c\n      d\n'],
    [
      'two spaces, for a patch with four',
      'a\n  b\n    c\n',
      diff('@@', '     b', '-        c', '+        d', '+            e'),
      'a\n  b\n    d\n      e\n',
    ],
    ['all shifted to the left', '    a\n      b\n', diff('@@', ' a', '-  b', '+  c', '+    d', '+e'), '    a\n      c\n        d\n    e\n'],
    ['one line, shifted', '        a\n', diff('@@', ' \u0020   a', '+    b', '+        c'), '        a\n        b\n            c\n'],
    [
      'two lines for one, in an unindented patch',
      '{\n  a,\n  b\n}\n',
      diff('@@', ' {', ' a,', '-b', '+b,', '+c', ' }'),
      '{\n  a,\n  b,\n  c\n}\n',
    ],
    ['the first line inside, in an unindented patch', '{\n  a\n}\n', diff('@@', ' {', '+z,', ' a', ' }'), '{\n  z,\n  a\n}\n'],
    ['the last line inside, in an unindented patch', '{\n  a\n}\n', diff('@@', ' {', ' a', '+z', ' }'), '{\n  a\n  z\n}\n'],
    [
      'many lines inside, in an unindented patch',
      '{\n  a\n}\n',
      diff('@@', ' {', ' a', '+x', '+y', '+', '+z', ' }'),
      '{\n  a\n  x\n  y\n\n  z\n}\n',
    ],
    ['lines after the block, in an unindented patch', '{\n  a\n}\n', diff('@@', ' {', ' a', ' }', '+z', '+y'), '{\n  a\n}\nz\ny\n'],
    ['lines before the block, in an unindented patch', '{\n  a\n}\n', diff('@@', '+z', ' {', ' a', ' }'), 'z\n{\n  a\n}\n'],
    ['a new first line, in an unindented patch', '{\n  a\n}\n', diff('@@', '-{', '+x {', '+z', ' a', ' }'), 'x {\n  z\n  a\n}\n'],
    ['a new last line, in an unindented patch', '{\n  a\n}\n', diff('@@', ' {', ' a', '-}', '+z', '+}'), '{\n  a\n  z\n}\n'],
    ['a changed last line, in an unindented patch', '{\n  a\n}\n', diff('@@', ' {', ' a', '-}', '+});'), '{\n  a\n});\n'],
    [
      'line by line, in an unindented patch',
      '{\n  a\n  b\n}\n',
      diff('@@', ' {', '-a', '+x', '-b', '+y', '-}', '+})'),
      '{\n  x\n  y\n})\n',
    ],
    [
      'two levels of tabs, in a patch with one level',
      'f {\n\tif {\n\t\ta\n\t}\n}\n',
      diff('@@', ' f {', '     if {', '     a', '+    b', '     }', '+    c', ' }'),
      'f {\n\tif {\n\t\ta\n\t\tb\n\t}\n\tc\n}\n',
    ],
    [
      'a field of a list entry is indented by the width of the list marker, whatever the file’s step',
      'a:\n    b:\n        - c: 1\n          d: 2\n',
      diff('@@', ' a:', '+  x:', '+    - y: 1', '+      z: 2', '   b:'),
      'a:\n    x:\n        - y: 1\n          z: 2\n    b:\n        - c: 1\n          d: 2\n',
    ],
    [
      'a new table row that the patch writes with spaces gets tabs',
      'a\tb\tc\nd\te\tf g\n',
      diff('@@', ' a b c', '+1 2 3', ' d e f g'),
      'a\tb\tc\n1\t2\t3\nd\te\tf g\n',
    ],
    [
      'a new line gets plain spaces if only a few lines of the file have unusual spaces',
      'a =  1\nb\u00a0= 2\nc = 3\n',
      diff('@@', ' a = 1', '+x = 0', ' b = 2'),
      'a =  1\nx = 0\nb\u00a0= 2\nc = 3\n',
    ],
    [
      'each tab of the patch becomes one level of the file',
      'a:\n  b:\n    c:\n      d\n    f\n',
      diff('@@', ' \t\t\td', '+\t\te'),
      'a:\n  b:\n    c:\n      d\n    e\n    f\n',
    ],
    ['an empty new line stays empty', '\ta\n', diff('@@', '     a', '+', '+    b'), '\ta\n\n\tb\n'],
    ['an exactly matching hunk keeps its own indentation', '\ta\n', diff('@@', ' \ta', '+    b'), '\ta\n    b\n'],
  ])('%s', (_, input, patch, output) => {
    expect(applyDiff(input, patch)).toEqual(ok(output))
  })
})

describe('D-37: line endings', () => {
  it.each([
    ['CR LF kept under a patch with LF', 'a\r\nb\r\nc\r\n', diff('@@', '-b', '+B', '+B2'), 'a\r\nB\r\nB2\r\nc\r\n'],
    ['LF kept under a patch with CR LF', 'a\nb\n', '@@\r\n-b\r\n+B\r\n', 'a\nB\n'],
    ['mixed: the ending of the replaced line', 'a\r\nb\nc\r\n', diff('@@', '-b', '+B'), 'a\r\nB\nc\r\n'],
    ['mixed: the ending of two equal neighbors', 'a\r\nb\r\nc\n', diff('@@', ' a', '+x'), 'a\r\nx\r\nb\r\nc\n'],
    ['a lone CR is not a line ending', 'a\rb\nc\n', diff('@@', '-c', '+d'), 'a\rb\nd\n'],
    ['added after a last line without an ending', 'a\r\nb', diff('@@', '+c'), 'a\r\nb\r\nc'],
    ['a single line that becomes two', 'a\r\n', diff('@@', '-a', '+b', '+c'), 'b\r\nc\r\n'],
    ['every line is replaced', 'a\r\nb\r\n', diff('@@', '-a', '-b', '+c', '+d', '+e'), 'c\r\nd\r\ne\r\n'],
    ['a line that becomes two, with other endings around it', 'x\na\r\ny\n', diff('@@', '-a', '+b', '+c'), 'x\nb\r\nc\r\ny\n'],
    ['two lines with different endings and a third line after them', 'p\nq\r\n', diff('@@', '-p', '-q', '+x', '+y', '+z'), 'x\ny\r\nz\r\n'],
    ['a line added before a single line', 'a\r\n', diff('@@', '+b', ' a'), 'b\r\na\r\n'],
    ['the patch’s ending in a file without line endings', 'a', '@@\r\n a\r\n+b\r\n', 'a\r\nb'],
  ])('%s', (_, input, patch, output) => {
    expect(applyDiff(input, patch)).toEqual(ok(output))
  })
  it('lone surrogates and byte order marks are kept', () => {
    expect(applyDiff('\ufeffa\n\ud800\nb\n', diff('@@', '-a', '+A', '@@', '-b', '+B'))).toEqual(ok('\ufeffA\n\ud800\nB\n'))
  })
})

describe('mode create', () => {
  it('joins the lines, and a + without text at the end adds the final newline', () => {
    expect(applyDiff('', diff('+a', '+b'), 'create')).toEqual(ok('a\nb'))
    expect(applyDiff('', diff('+a', '+b', '+'), 'create')).toEqual(ok('a\nb\n'))
    expect(applyDiff('', '+a\r\n+b\r\n', 'create')).toEqual(ok('a\r\nb'))
    expect(applyDiff('', '', 'create')).toEqual(ok(''))
    expect(applyDiff('', diff('+a', '', ''), 'create')).toEqual(ok('a'))
    expect(applyDiff('', diff('+a', '*** End Patch'), 'create')).toEqual(ok('a'))
  })
  it('refuses lines without +', () => {
    expect(applyDiff('', diff('+a', 'b'), 'create')).toEqual(failed('line 2: every line of a new file begins with +.'))
    expect(applyDiff('', diff('+a', '', '+b'), 'create')).toEqual(failed('line 2: every line of a new file begins with +.'))
  })
})

describe('P3-36: syntax', () => {
  it.each([
    ['a line without a sign', diff('@@', 'x'), 'line 2: "x" must begin with a space (context), - or +.'],
    ['an empty hunk', diff('@@', '-a', '@@ b'), 'line 3: the hunk that begins here is empty.'],
    ['a hunk with only an empty line', diff('@@', ''), 'line 1: the hunk that begins here is empty.'],
    ['*** End of File without a hunk', '*** End of File', 'line 1: *** End of File has no hunk before it.'],
  ])('%s', (_, patch, message) => {
    expect(applyDiff('a\nb\n', patch)).toEqual(failed(message))
  })
})
