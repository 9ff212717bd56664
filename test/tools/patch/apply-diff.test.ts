import { describe, expect, it } from 'vitest'
import { failed, ok } from '../../../shared/lib/result.ts'
import { applyDiff } from '../../../main/tools/patch/apply-diff.ts'

const diff = (...lines: readonly string[]): string => lines.join('\n')

describe('P3-32, P3-33, P3-35, P3-38: placing hunks', () => {
  it.each([
    ['a line replaced', 'a\nb\nc\n', diff('@@', ' a', '-b', '+B', ' c'), 'a\nB\nc\n'],
    ['no @@ before the first hunk', 'a\nb\n', diff(' a', '-b', '+B'), 'a\nB\n'],
    ['several hunks', 'a\nb\nc\nd\ne\n', diff('@@', '-a', '+A', '@@', ' d', '-e', '+E'), 'A\nb\nc\nd\nE\n'],
    ['a line put in', 'a\nc\n', diff('@@', ' a', '+b', ' c'), 'a\nb\nc\n'],
    ['a line taken out', 'a\nb\nc\n', diff('@@', ' a', '-b', ' c'), 'a\nc\n'],
    ['blank lines without the blank of context (T-11)', 'a\n\nb\n', diff('@@', ' a', '', '-b', '+c'), 'a\n\nc\n'],
    ['blanks at the end of a line', 'a  \nb\n', diff('@@', ' a', '-b', '+B'), 'a  \nB\n'],
    ['another indentation', '    a\n\tb\n', diff('@@', ' a', '-b', '+\tB'), '    a\n\tB\n'],
    ['curly quotes and long dashes', 'say(“a — b”)\nx\n', diff('@@', ' say("a - b")', '-x', '+y'), 'say(“a — b”)\ny\n'],
    ['composed and decomposed letters', 'cafe\u0301\nx\n', diff('@@', ' caf\u00e9', '-x', '+y'), 'cafe\u0301\ny\n'],
    [
      'curly quotes of the patch for plain ones of the file',
      'x = "a"\ny = "b"\n',
      diff('@@', ' x = “a”', '-y = “b”', '+y = “c”', '+z = “d”'),
      'x = "a"\ny = "c"\nz = "d"\n',
    ],
    ['an earlier place than that of the hunk before', 'a\nb\nc\n', diff('@@', '-c', '+C', '@@', '-a', '+A'), 'A\nb\nC\n'],
    ['a gap at the end of a hunk that is no line', 'a\nb\nc', diff('@@', '-a', '+A', '', '@@', '-c', '+C'), 'A\nb\nC'],
    ['context that two hunks share', 'a\nb\nc\nd\n', diff('@@', ' a', '-b', '+B', ' c', '@@', ' c', '-d', '+D'), 'a\nB\nc\nD\n'],
    ['an addition above a line that another hunk replaces', 'a\nb\n', diff('@@', '-b', '+B', '@@ a', '+x'), 'a\nx\nB\n'],
    ['a gap at the beginning of a hunk', 'a\nb\n', diff('@@', '', ' a', '-b', '+B'), 'a\nB\n'],
    ['context alone', 'a\nb\n', diff('@@', ' a'), 'a\nb\n'],
    ['nothing at all', 'a\n', '', 'a\n'],
    ['numbers and a heading of a unified diff', 'x\nf() {\n a\n}\n', diff('@@ -2,2 +2,2 @@ f() {', '- a', '+ b'), 'x\nf() {\n b\n}\n'],
    ['a heading that is no line', 'a\n', diff('@@ -1 +1 @@ class X', '-a', '+b'), 'b\n'],
    ['names of a unified diff', 'a\n', diff('--- a/x', '+++ b/x', '@@ -1 +1 @@', '-a', '+b'), 'b\n'],
    ['lines that only look like such names', '-- a\nb\n', diff('--- a', '+++ c', '@@', '-b', '+d'), '++ c\nd\n'],
    ['gaps between hunks, and no hunk at all', 'x\n\ny\n\nz\n', diff('', '@@', '', '@@', ' y', '+n', '', ' z', ''), 'x\n\ny\nn\n\nz\n'],
    ['gaps alone', 'a\n', diff('', '', ''), 'a\n'],
    [
      'a gap behind a line that stands above a gap too',
      'a\n\nb\na\nc\n',
      diff('@@', '-a', '+x', ' ', ' b', '@@', '-a', '+y', ''),
      'x\n\nb\ny\nc\n',
    ],
    ["the patch's end marker", 'a\n', diff('@@', '-a', '+b', '*** End Patch', ''), 'b\n'],
  ])('%s', (_, input, patch, output) => {
    expect(applyDiff(input, patch)).toEqual(ok(output))
  })

  it('D-36: compatibility equivalents do not match', () => {
    expect(applyDiff('ﬁn\n', diff('@@', '-fin', '+x'))).toMatchObject({ ok: false })
    expect(applyDiff('a…\n', diff('@@', '-a...', '+x'))).toMatchObject({ ok: false })
  })

  it('an empty context line matches no newline except the final one', () => {
    expect(applyDiff('a\nb\nc', diff('@@', ' a', '-b', '+B', ' '))).toMatchObject({ ok: false })
    expect(applyDiff('a\nb\nc\n', diff('@@', ' a', '-b', '+B', ' '))).toMatchObject({ ok: false })
  })

  it('P3-36: missing text is answered with the closest lines', () => {
    expect(applyDiff('one\ntwo three\nfour\n', diff('@@', ' one', '-two thre', '+x'))).toEqual(
      failed('The hunk for the input (line 1) was not found. The closest lines are:\n     1\tone\n     2\ttwo three'),
    )
  })
})

describe('D-33, D-34: anchors and ambiguous places', () => {
  const twice = 'class A:\n  def f():\n    x\nclass B:\n  def f():\n    x\n'
  it('refuses text that occurs twice, naming the lines', () => {
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
  it('prefers a single exact match to loose ones', () => {
    expect(applyDiff(' x\nx\n', diff('@@', '-x', '+y'))).toEqual(ok(' x\ny\n'))
  })
  it('searches after the previous hunk', () => {
    expect(applyDiff('x\na\nx\n', diff('@@', ' a', '@@', '-x', '+y'))).toEqual(ok('x\na\ny\n'))
  })
  it('an anchor selects the match', () => {
    expect(applyDiff(twice, diff('@@ class B:', '-    x', '+    y'))).toEqual(ok(twice.replace(/x\n$/u, 'y\n')))
  })
  it('several anchors narrow from outside to inside', () => {
    expect(applyDiff(twice, diff('@@ class B:', '@@   def f():', '-    x', '+    y'))).toEqual(ok(twice.replace(/x\n$/u, 'y\n')))
    expect(applyDiff(twice, diff('@@ class A:', '@@   def f():', '-    x', '+    y'))).toEqual(ok(twice.replace('x\n', 'y\n')))
  })
  it('an anchor that occurs twice selects nothing', () => {
    expect(applyDiff(twice, diff('@@   def f():', '-    x', '+    y'))).toMatchObject({ ok: false })
  })
  it('an anchor may be shortened, and may be the first line of the hunk', () => {
    expect(applyDiff(twice, diff('@@ class B', ' class B:', '-  def f():', '+  def g():'))).toEqual(
      ok('class A:\n  def f():\n    x\nclass B:\n  def g():\n    x\n'),
    )
  })
  it('an anchor may be any line of the hunk', () => {
    const input = 'a\nb\nc\nd\na\nb\nC\nd\n'
    expect(applyDiff(input, diff('@@ C', ' a', ' b', '-C', '+x'))).toEqual(ok(input.replace('C', 'x')))
    expect(applyDiff(input, diff('@@ c', ' a', '-b', '+x', ' c'))).toEqual(ok(input.replace('b', 'x')))
  })
  it('text only above its anchor is not changed, and the message says where it is', () => {
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
  it('T-17: a hunk with only additions goes directly below its anchor, or to the end without one', () => {
    expect(applyDiff('a\nb\nc\n', diff('@@ a', '+new'))).toEqual(ok('a\nnew\nb\nc\n'))
    expect(applyDiff('a\nb\n', diff('@@', '+new'))).toEqual(ok('a\nb\nnew\n'))
    expect(applyDiff('a\nb', diff('@@', '+new'))).toEqual(ok('a\nb\nnew'))
    expect(applyDiff('', diff('@@', '+hello', '+world'))).toEqual(ok('hello\nworld\n'))
  })
  it.each([
    ['alone', 'a\nb\n', diff('@@ nope', '-b', '+B'), 'a\nB\n'],
    ['with others', 'A\n x\nB\n x\n', diff('@@ B', '@@ nope', '- x', '+ y'), 'A\n x\nB\n y\n'],
    ['named between two signs', 'fn a() {\n  b\n}\n', diff('@@ first hunk @@', '-  b', '+  c'), 'fn a() {\n  c\n}\n'],
    ['above the end', 'x\ny\nx\n', diff('@@ nope', '-x', '+z', '*** End of File'), 'x\ny\nz\n'],
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
  it('an almost matching anchor is answered with the closest line', () => {
    expect(applyDiff('x\ndef total(price):\n  y\n', diff('@@ def totals(price):', '+  z'))).toEqual(
      failed(
        'The hunk for the input (line 1) has the anchor "def totals(price):", which is not a line of the input. The closest is line 2: def total(price):',
      ),
    )
  })
  it('an anchor that occurs only above the previous one is reported as such', () => {
    expect(applyDiff('def f\nclass A\n', diff('@@ class A', '@@ def f', '+  x'))).toEqual(
      failed(
        'The hunk for the input (line 1) has the anchor "def f", which is not a line of the input below the anchor before it. The closest is line 1: def f',
      ),
    )
  })
  it('an empty line separates neither anchors nor an anchor from its hunk', () => {
    const input = 'class A\n  def f\n    x\nclass B\n  def f\n    x\n'
    expect(applyDiff(input, diff('@@ class B', '', '@@   def f', '-    x', '+    y'))).toEqual(ok(input.replace(/x\n$/u, 'y\n')))
  })
  it('numbers and headings of a unified diff do not place additions, except in an empty input and at the end', () => {
    const unsure = failed(
      'The hunk for the input (line 1) has only + lines, and line numbers are not reliable enough to place them. Add context lines, or an @@ line that is unique.',
    )
    expect(applyDiff('a\nb\nc\n', diff('@@ -1,0 +2 @@', '+x'))).toEqual(unsure)
    expect(applyDiff('f() {\n  a\n  b\n}\n', diff('@@ -2,0 +3 @@ f() {', '+  x'))).toEqual(unsure)
    expect(applyDiff('', diff('@@ -0,0 +1,2 @@', '+x', '+y'))).toEqual(ok('x\ny\n'))
    expect(applyDiff('a\n', diff('@@ -1,0 +2 @@', '+x'))).toEqual(ok('a\nx\n'))
  })
  it('*** End of File selects between two matches', () => {
    expect(applyDiff('x\na\nx\n', diff('@@', '-x', '+y', '*** End of File'))).toEqual(ok('x\na\ny\n'))
    expect(applyDiff('x\na\n  x\n', diff('@@', '-x', '+y', '*** End of File'))).toEqual(ok('x\na\n  y\n'))
    expect(applyDiff('x\na\n', diff('@@', '-x', '+y', '*** End of File'))).toEqual(ok('y\na\n'))
  })
  it('two hunks may not change the same line', () => {
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
    ['stays away', 'a\nb', diff('@@', '-b', '+c'), 'a\nc'],
    ['stays away when the last line goes', 'a\nb', diff('@@', '-b'), 'a'],
    ['stays away when a line is added', 'a\nb', diff('@@', ' b', '+c'), 'a\nb\nc'],
    ['stays', 'a\nb\n', diff('@@', '-b'), 'a\n'],
    ['comes when the patch names it', 'a\nb', diff('@@', ' b', '+'), 'a\nb\n'],
    ['goes when the patch names it', 'a\nb\n', diff('@@', ' b', '-'), 'a\nb'],
    ['goes by the words of a unified diff', 'a\nb\n', diff('@@', '-b', '+c', '\\ No newline at end of file'), 'a\nc'],
    ['comes by the words of a unified diff', 'a\nb', diff('@@', '-b', '\\ No newline at end of file', '+c'), 'a\nc\n'],
    ['stays away under an empty line of context', 'a\nb', diff('@@', ' a', '-b', '+c', ' '), 'a\nc'],
    ['of an only line', 'a', diff('@@', '-a', '+b'), 'b'],
    ['of a file that becomes empty', 'a\n', diff('@@', '-a'), ''],
  ])('%s', (_, input, patch, output) => {
    expect(applyDiff(input, patch)).toEqual(ok(output))
  })
})

describe('P3-35: new lines of a hunk found with different whitespace get the file’s indentation', () => {
  it.each([
    [
      'tabs, a patch of four blanks',
      'def f():\n\tif a:\n\t\tb()\n',
      diff('@@', ' def f():', '     if a:', '-        b()', '+        c()', '+        if d:', '+            e()'),
      'def f():\n\tif a:\n\t\tc()\n\t\tif d:\n\t\t\te()\n',
    ],
    ['one line, one level deeper', '\tif a:\n', diff('@@', '     if a:', '+        b()'), '\tif a:\n\t\tb()\n'],
    ['two levels of tabs, one line', '\t\ta()\n', diff('@@', '-        a()', '+        b()', '+    c()', '+d()'), '\t\tb()\n\tc()\nd()\n'],
    ['blanks, a patch of tabs', '  a {\n    b\n', diff('@@', ' \ta {', '-\t\tb', '+\t\tc', '+\t\t\td'), '  a {\n    c\n      d\n'],
    [
      'two blanks, a patch of four',
      'a\n  b\n    c\n',
      diff('@@', '     b', '-        c', '+        d', '+            e'),
      'a\n  b\n    d\n      e\n',
    ],
    ['all shifted to the left', '    a\n      b\n', diff('@@', ' a', '-  b', '+  c', '+    d', '+e'), '    a\n      c\n        d\n    e\n'],
    ['one line, shifted', '        a\n', diff('@@', ' \u0020   a', '+    b', '+        c'), '        a\n        b\n            c\n'],
    [
      'two lines for one, in a patch without any',
      '{\n  a,\n  b\n}\n',
      diff('@@', ' {', ' a,', '-b', '+b,', '+c', ' }'),
      '{\n  a,\n  b,\n  c\n}\n',
    ],
    ['the first one inside, in a patch without any', '{\n  a\n}\n', diff('@@', ' {', '+z,', ' a', ' }'), '{\n  z,\n  a\n}\n'],
    ['the last one inside, in a patch without any', '{\n  a\n}\n', diff('@@', ' {', ' a', '+z', ' }'), '{\n  a\n  z\n}\n'],
    [
      'many inside, in a patch without any',
      '{\n  a\n}\n',
      diff('@@', ' {', ' a', '+x', '+y', '+', '+z', ' }'),
      '{\n  a\n  x\n  y\n\n  z\n}\n',
    ],
    ['lines behind, in a patch without any', '{\n  a\n}\n', diff('@@', ' {', ' a', ' }', '+z', '+y'), '{\n  a\n}\nz\ny\n'],
    ['lines ahead, in a patch without any', '{\n  a\n}\n', diff('@@', '+z', ' {', ' a', ' }'), 'z\n{\n  a\n}\n'],
    ['a new beginning, in a patch without any', '{\n  a\n}\n', diff('@@', '-{', '+x {', '+z', ' a', ' }'), 'x {\n  z\n  a\n}\n'],
    ['a new end, in a patch without any', '{\n  a\n}\n', diff('@@', ' {', ' a', '-}', '+z', '+}'), '{\n  a\n  z\n}\n'],
    ['another end, in a patch without any', '{\n  a\n}\n', diff('@@', ' {', ' a', '-}', '+});'), '{\n  a\n});\n'],
    [
      'one line after the other, in a patch without any',
      '{\n  a\n  b\n}\n',
      diff('@@', ' {', '-a', '+x', '-b', '+y', '-}', '+})'),
      '{\n  x\n  y\n})\n',
    ],
    [
      'tabs in two levels, in a patch of one',
      'f {\n\tif {\n\t\ta\n\t}\n}\n',
      diff('@@', ' f {', '     if {', '     a', '+    b', '     }', '+    c', ' }'),
      'f {\n\tif {\n\t\ta\n\t\tb\n\t}\n\tc\n}\n',
    ],
    [
      'a field that stands beside others of a list entry is as wide as the marker, whatever the step of the file',
      'a:\n    b:\n        - c: 1\n          d: 2\n',
      diff('@@', ' a:', '+  x:', '+    - y: 1', '+      z: 2', '   b:'),
      'a:\n    x:\n        - y: 1\n          z: 2\n    b:\n        - c: 1\n          d: 2\n',
    ],
    [
      'a new row of a table that the patch writes with spaces gets its tabs',
      'a\tb\tc\nd\te\tf g\n',
      diff('@@', ' a b c', '+1 2 3', ' d e f g'),
      'a\tb\tc\n1\t2\t3\nd\te\tf g\n',
    ],
    [
      'a new line has plain spaces if only single lines of the file have others',
      'a =  1\nb\u00a0= 2\nc = 3\n',
      diff('@@', ' a = 1', '+x = 0', ' b = 2'),
      'a =  1\nx = 0\nb\u00a0= 2\nc = 3\n',
    ],
    [
      'each tab of a patch is one level of the file',
      'a:\n  b:\n    c:\n      d\n    f\n',
      diff('@@', ' \t\t\td', '+\t\te'),
      'a:\n  b:\n    c:\n      d\n    e\n    f\n',
    ],
    ['an empty new line stays empty', '\ta\n', diff('@@', '     a', '+', '+    b'), '\ta\n\n\tb\n'],
    ['an exact hunk keeps its own', '\ta\n', diff('@@', ' \ta', '+    b'), '\ta\n    b\n'],
  ])('%s', (_, input, patch, output) => {
    expect(applyDiff(input, patch)).toEqual(ok(output))
  })
})

describe('D-37: line endings', () => {
  it.each([
    ['CR LF kept in a patch of LF', 'a\r\nb\r\nc\r\n', diff('@@', '-b', '+B', '+B2'), 'a\r\nB\r\nB2\r\nc\r\n'],
    ['LF kept in a patch of CR LF', 'a\nb\n', '@@\r\n-b\r\n+B\r\n', 'a\nB\n'],
    ['mixed: that of the line replaced', 'a\r\nb\nc\r\n', diff('@@', '-b', '+B'), 'a\r\nB\nc\r\n'],
    ['mixed: added between equal neighbours', 'a\r\nb\r\nc\n', diff('@@', ' a', '+x'), 'a\r\nx\r\nb\r\nc\n'],
    ['a lone CR is no ending', 'a\rb\nc\n', diff('@@', '-c', '+d'), 'a\rb\nd\n'],
    ['added behind a last line without ending', 'a\r\nb', diff('@@', '+c'), 'a\r\nb\r\nc'],
    ['an only line that becomes two', 'a\r\n', diff('@@', '-a', '+b', '+c'), 'b\r\nc\r\n'],
    ['every line is another one', 'a\r\nb\r\n', diff('@@', '-a', '-b', '+c', '+d', '+e'), 'c\r\nd\r\ne\r\n'],
    ['a line that becomes two among others', 'x\na\r\ny\n', diff('@@', '-a', '+b', '+c'), 'x\nb\r\nc\r\ny\n'],
    ['lines of two kinds, a third behind them', 'p\nq\r\n', diff('@@', '-p', '-q', '+x', '+y', '+z'), 'x\ny\r\nz\r\n'],
    ['an only line without ending, in front', 'a\r\n', diff('@@', '+b', ' a'), 'b\r\na\r\n'],
    ['a file without any: that of the patch', 'a', '@@\r\n a\r\n+b\r\n', 'a\r\nb'],
  ])('%s', (_, input, patch, output) => {
    expect(applyDiff(input, patch)).toEqual(ok(output))
  })
  it('lone surrogates and byte order marks are kept', () => {
    expect(applyDiff('\ufeffa\n\ud800\nb\n', diff('@@', '-a', '+A', '@@', '-b', '+B'))).toEqual(ok('\ufeffA\n\ud800\nB\n'))
  })
})

describe('mode create', () => {
  it('joins the lines; an empty + at the end makes the final newline', () => {
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
    ['a line with no sign', diff('@@', 'x'), 'line 2: "x" must begin with a space (context), - or +.'],
    ['an empty hunk', diff('@@', '-a', '@@ b'), 'line 3: the hunk that begins here is empty.'],
    ['a hunk of a gap', diff('@@', ''), 'line 1: the hunk that begins here is empty.'],
    ['*** End of File alone', '*** End of File', 'line 1: *** End of File has no hunk before it.'],
  ])('%s', (_, patch, message) => {
    expect(applyDiff('a\nb\n', patch)).toEqual(failed(message))
  })
})
