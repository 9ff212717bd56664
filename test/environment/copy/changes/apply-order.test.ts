import { wordList } from '../../../../shared/lib/word-list.ts'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CopyChange } from '../../../../main/agent/ports/command-copies.ts'
import { stepsOf } from '../../../../main/environment/copy/apply/apply-order.ts'
import { hasNoCopies, openCopies } from '../support.ts'

const file = { kind: 'file', mode: 0o644, size: 1, hash: '0'.repeat(64), mtimeMs: 0 } as const
const created = (path: string): CopyChange => ({ kind: 'created', path, after: file })
const deleted = (path: string): CopyChange => ({ kind: 'deleted', path, before: { ...file, inode: '1:1' } })

it('git’s objects are written before the refs that name them, the index is written last, and then unneeded objects are removed', () => {
  const changes = wordList(`
  .git/HEAD .git/index .git/objects/aa/1 .git/objects/pack/p.idx .git/objects/pack/p.pack .git/refs/heads/main a.txt
  .git/logs/HEAD
`).map(created)
  const gone = ['.git/objects/bb/2', '.git/refs/heads/old', 'b.txt'].map(deleted)
  expect(stepsOf([...changes, ...gone]).map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    'remove b.txt',
    'put a.txt',
    'put .git/objects/aa/1',
    'put .git/objects/pack/p.pack',
    'put .git/objects/pack/p.idx',
    'put .git/logs/HEAD',
    'remove .git/refs/heads/old',
    'put .git/refs/heads/main',
    'put .git/HEAD',
    'put .git/index',
    'remove .git/objects/bb/2',
  ])
})

describe.skipIf(hasNoCopies)('while changes are applied', () => {
  it('git’s index is locked, and all changes are undone if an editor writes into a replaced file', async () => {
    const { copies, folder } = openCopies({ '0': 'old' })
    execFileSync('git', ['init', '-q'], { cwd: folder })
    const ended = await copies.run('echo theirs > 0; touch {1..300}; git add -A')
    const editor = openSync(join(folder, '0'), 'r+')
    let hasEnded = false
    const applying = ended.apply().finally(() => (hasEnded = true))
    while (!existsSync(join(folder, '1')) && !hasEnded) await new Promise((resolve) => setImmediate(resolve))
    const isLocked = existsSync(join(folder, '.git/index.lock'))
    writeSync(editor, 'mine', 0)
    closeSync(editor)
    expect(await applying).toMatchObject({ kind: 'refused', path: '0' })
    expect(isLocked).toBe(true)
    expect([readFileSync(join(folder, '0'), 'utf8'), readdirSync(folder)]).toEqual(['mine', ['.git', '0']])
    expect(existsSync(join(folder, '.git/index.lock'))).toBe(false)
  })
})
