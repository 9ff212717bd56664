import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { hasNoCopies, openCopies, programsWithout, treeOf } from './support.ts'

const LACKING = ['getfattr', 'setfattr', 'attr']

function opened(files: Readonly<Record<string, string>>) {
  const all = openCopies(files)
  const path = process.env['PATH']
  process.env['PATH'] = programsWithout(LACKING, all.base)
  onTestFinished(() => void (process.env['PATH'] = path))
  return all
}

const long = 'n'.repeat(200)

// These tests need bubblewrap. `hasNoCopies` prints the reason for the skip.
describe.skipIf(hasNoCopies)('a copy on a machine without getfattr and setfattr (D19)', () => {
  let all: ReturnType<typeof opened>
  beforeEach(() => {
    all = opened({ 'a/one.txt': '1\n', 'a/two.txt': '2\n', 'b é\n/x.txt': 'x\n', [`${long}/${long}/x.txt`]: 'x\n', 'kept/k.txt': 'k\n' })
  })

  it('is possible', async () => {
    expect(await all.copies.support()).toEqual({ kind: 'present' })
  })

  it('tells a folder that was removed and created again from one that was changed', async () => {
    const run = await all.copies.run(
      `for d in a $'b é\\n' ${long}/${long}; do rm -r "$d"; mkdir "$d"; echo new > "$d/new.txt"; done; echo more > kept/more.txt`,
    )
    expect(run.changeSet.changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'created a/new.txt',
      'deleted a/one.txt',
      'deleted a/two.txt',
      'created b é\n/new.txt',
      'deleted b é\n/x.txt',
      'created kept/more.txt',
      `created ${long}/${long}/new.txt`,
      `deleted ${long}/${long}/x.txt`,
    ])
    expect(await run.apply()).toEqual({ kind: 'applied' })
    expect(Object.keys(treeOf(all.folder)).filter((path) => path.startsWith('a/'))).toEqual(['a/new.txt'])
  })

  it('can be filled, so that a command can rename folders', async () => {
    const run = await all.copies.run('mv a c && mv kept c/kept', { isFilled: true })
    expect(run.result).toMatchObject({ exitCode: 0, stderr: '' })
    expect(run.changeSet.changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual(
      expect.arrayContaining(['created c/one.txt', 'created c/kept/k.txt', 'deleted a/one.txt', 'deleted kept/k.txt']),
    )
  })
})
