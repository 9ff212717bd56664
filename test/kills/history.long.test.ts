import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runAgent } from '../headless/support/agent-process.ts'
import { place } from '../headless/support/model-place.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { treeOf } from './file-tree.ts'
import { checkStore, killRounds } from './kill-rounds.ts'
import { killCount } from './store-kills.ts'

const kills = killCount(200)

const write = (path: string, content: string) => calls(call('write_file', { file_path: path, content }))
const patch = (...lines: readonly string[]) =>
  calls(call('apply_patch', { patch: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n') }))

/** Runs three steps. The second step changes, creates and deletes files. */
async function threeSteps() {
  const at = await place([
    write('a.txt', 'a1\n'),
    patch('*** Update File: a.txt', '@@', '-a1', '+a2', '*** Add File: dir/new.txt', '+new', '*** Delete File: old.txt'),
    write('c.txt', 'c\n'),
    say('Written.'),
  ])
  writeFileSync(join(at.cwd, 'old.txt'), 'old\n')
  writeFileSync(join(at.cwd, 'mine.txt'), 'mine\n')
  const outcome = await runAgent(['--approve', 'all', '--sandbox', 'off', 'write files'], at)
  expect(outcome.code).toBe(0)
  return at
}
const AFTER = { 'a.txt': 'a2\n', 'c.txt': 'c\n', 'dir/new.txt': 'new\n', 'mine.txt': 'mine\n' }
const UNDONE = { 'a.txt': 'a1\n', 'c.txt': 'c\n', 'mine.txt': 'mine\n', 'old.txt': 'old\n' }
const FIRST = { 'mine.txt': 'mine\n', 'old.txt': 'old\n' }

test.each([
  ['undo of one step', [], ['undo', '2'], AFTER, UNDONE],
  ['rollback', [], ['rollback', '0', '--conversation'], AFTER, FIRST],
  ['redo', [['undo', '2']], ['redo', 'last'], UNDONE, AFTER],
] as const)(
  '%s that is killed before any change of the disk is complete or absent after the next launch',
  { timeout: 120_000 + 20_000 * kills },
  async (_, first, args, before, after) => {
    const at = await threeSteps()
    for (const one of first) await runAgent(one, at)
    expect(treeOf(at.cwd)).toEqual(before)
    await killRounds(at, args, {
      rounds: kills,
      async check(killed) {
        const next = await runAgent(['undo', '3', '--preview'], at)
        expect([killed, next.stderr]).toEqual([killed, expect.stringMatching(/^$|nothing to undo/)])
        const tree = treeOf(at.cwd)
        expect([killed, tree]).toEqual([killed, 'old.txt' in tree === 'old.txt' in after ? after : before])
        await checkStore(at.data, killed)
      },
    })
  },
)
