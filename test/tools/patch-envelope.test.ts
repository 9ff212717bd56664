import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { benchOfEachTest } from './bench-of-each-test.ts'
import { textOf } from './workbench.ts'

const bench = benchOfEachTest()

const put = (name: string, content: string): void => writeFileSync(join(bench.root, name), content)
const now = (name: string): string => readFileSync(join(bench.root, name), 'utf8')
const patchOf = (...lines: readonly string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')
const apply = (...lines: readonly string[]) => bench.call('apply_patch', { patch: patchOf(...lines) })

describe('fault 20: envelopes', () => {
  it.each([
    ['a heredoc', ["<<'EOF'", patchOf('*** Update File: a.txt', '-one', '+two'), 'EOF'].join('\n')],
    ['a command with a heredoc', ['apply_patch <<EOF', patchOf('*** Update File: a.txt', '-one', '+two'), 'EOF', ''].join('\n')],
    ['a heredoc in a pipe', ["cat <<'EOF' | apply_patch", patchOf('*** Update File: a.txt', '-one', '+two'), 'EOF'].join('\n')],
    ['a cell of a notebook', ['%%bash', 'apply_patch <<"EOF"', patchOf('*** Update File: a.txt', '-one', '+two'), 'EOF'].join('\n')],
    ['a fence', ['```diff', patchOf('*** Update File: a.txt', '-one', '+two'), '```'].join('\n')],
    ['CR LF', patchOf('*** Update File: a.txt', '@@', '-one', '+two').replaceAll('\n', '\r\n')],
    ['spaces around the markers', `  *** Begin Patch  \n *** Update File: a.txt  \n-one\n+two\n*** End Patch   \n\n`],
    ['gaps between sections', patchOf('', '*** Update File: a.txt', '', '@@', '-one', '+two', '', '*** Add File: b.txt', '+x', '')],
    [
      'an end marker in an added line',
      patchOf('*** Update File: a.txt', '@@', '-one', '+two', '*** Add File: p.md', '+*** End Patch', '+x'),
    ],
  ])('%s', async (_, patch) => {
    put('a.txt', 'one\n')
    expect(await bench.call('apply_patch', { patch })).toMatchObject({ isError: false })
    expect(now('a.txt')).toBe('two\n')
  })

  it.each(['cd sub && apply_patch <<EOF', "cd 'sub' && apply_patch <<'EOF'", 'cd "./sub" && applypatch <<"EOF"'])(
    'paths are relative to the folder that the command changes to: %s',
    async (command) => {
      mkdirSync(join(bench.root, 'sub'))
      put('a.txt', 'one\n')
      put('sub/a.txt', 'one\n')
      put('sub/b.txt', 'one\n')
      const patch = patchOf('*** Update File: a.txt', '-one', '+two', '*** Update File: b.txt', '*** Move to: c.txt')
      expect(await bench.call('apply_patch', { patch: [command, patch, 'EOF'].join('\n') })).toMatchObject({
        output: 'Applied 2 operations: updated sub/a.txt (1 hunk), moved sub/b.txt to sub/c.txt (0 hunks).',
      })
      expect([now('a.txt'), now('sub/a.txt'), now('sub/c.txt')]).toEqual(['one\n', 'two\n', 'one\n'])
    },
  )

  it.each([
    'rm -r sub; apply_patch <<EOF',
    'cd sub; apply_patch <<EOF',
    'cd sub || apply_patch <<EOF',
    'cd $HOME && apply_patch <<EOF',
    'cd -P sub && apply_patch <<EOF',
    'cd sub && cd sub && apply_patch <<EOF',
    'apply_patch other <<EOF',
    'git apply <<EOF',
    'cat <<EOF | tee a.txt',
    'apply_patch <<"EOF\'',
  ])('a patch inside a command with a different meaning is refused: %s', async (command) => {
    put('a.txt', 'one\n')
    const patch = [command, patchOf('*** Update File: a.txt', '-one', '+two'), 'EOF'].join('\n')
    expect(await bench.call('apply_patch', { patch })).toMatchObject({
      isError: true,
      output: `The patch cannot be read: line 1: "${command}" comes before "*** Begin Patch". Send only the patch: nothing else is executed. Nothing was changed.`,
    })
    expect(now('a.txt')).toBe('one\n')
  })

  it('the patch can be in an argument with another name', async () => {
    put('a.txt', 'one\n')
    const patch = patchOf('*** Update File: a.txt', '-one', '+two')
    expect(await bench.call('apply_patch', { input: patch })).toMatchObject({ isError: false })
    expect(
      await bench.call('apply_patch', { command: ['apply_patch', patchOf('*** Update File: a.txt', '-two', '+three')] }),
    ).toMatchObject({ isError: false })
    expect(now('a.txt')).toBe('three\n')
  })

  it('fault 21: a name with a million spaces in it is parsed quickly', async () => {
    const name = `a${' '.repeat(1_000_000)}b`
    // The output shortens the name but keeps its beginning and end, which this pattern matches. Comparing an object that contains the
    // complete name would be slow.
    const shortened = /^a +… +b /u
    const missing = await apply(`*** Update File: ${name}`, '-one', '+two')
    expect([missing.isError, textOf(missing.output).slice(0, 400)]).toEqual([true, expect.stringMatching(shortened)])
    put('a.txt', 'one\n')
    const moved = await apply('*** Update File: a.txt', `*** Move to: ${name}`, '-one', '+two')
    expect([moved.isError, textOf(moved.output).slice(0, 400)]).toEqual([true, expect.stringMatching(shortened)])
  })

  it('a patch with 5,000 hunks is applied to a file of a megabyte', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index} ${'x'.repeat(40)}`)
    put('a.txt', `${lines.join('\n')}\n`)
    const hunks = Array.from({ length: 5000 }, (_, index) => [
      '@@',
      ` ${lines[index * 4]}`,
      `-${lines[index * 4 + 1]}`,
      `+changed ${index}`,
    ]).flat()
    expect(await apply('*** Update File: a.txt', ...hunks)).toMatchObject({ output: 'Applied 1 operation: updated a.txt (5000 hunks).' })
    expect(now('a.txt').split('\n').slice(4, 6)).toEqual([lines[4], 'changed 1'])
  })
})
