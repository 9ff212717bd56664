import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { answerCall, waiting } from '../agent/support/rig.ts'
import { edit, only, resultsOf, rigFor } from '../agent/support/scripted-rig.ts'
import { call, calls, say } from '../support/scripted-model.ts'

const patch = (...lines: readonly string[]) => call('apply_patch', { patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') })

it('patches and edits of one round build on each other, and every file is in the log', async () => {
  const { provider, rig } = await rigFor(
    [
      calls(
        patch('*** Update File: run.sh', '*** Move to: bin/run.sh', '-old', '+new'),
        edit('bin/run.sh', 'new', 'newer'),
        call('multi_edit', { edits: [{ file_path: 'bin/run.sh', old_string: 'newer', new_string: 'newest' }] }),
      ),
      say('Done.'),
    ],
    { mode: 'full' },
  )
  await writeFile(join(rig.folder, 'run.sh'), 'old\n')
  await chmod(join(rig.folder, 'run.sh'), 0o755)
  rig.session.submit('go')
  await rig.session.idle()
  expect(resultsOf(provider.requests[1]).map(([status]) => status)).toEqual(['ok', 'ok', 'ok'])
  expect(await readFile(join(rig.folder, 'bin/run.sh'), 'utf8')).toBe('newest\n')
  expect((await stat(join(rig.folder, 'bin/run.sh'))).mode & 0o777).toBe(0o755)
  expect(
    only(rig, 'FILES_CHANGED').map(({ files }) =>
      files.map(({ shown, before, after, afterMode }) => [shown, before !== null, after !== null, afterMode]),
    ),
  ).toEqual([
    [
      ['run.sh', true, false, null],
      ['bin/run.sh', false, true, 0o755],
    ],
    [['bin/run.sh', true, true, 0o755]],
    [['bin/run.sh', true, true, 0o755]],
  ])
})

it('D-20, R-59: accept-edits mode applies a patch that only writes, and requires approval for a patch that deletes', async () => {
  const { rig } = await rigFor(
    [
      calls(patch('*** Add File: a.txt', '+x')),
      calls(patch('*** Delete File: a.txt')),
      calls(call('delete_file', { file_path: 'a.txt' })),
      say('Done.'),
    ],
    { mode: 'accept-edits' },
  )
  rig.session.submit('go')
  const [asked] = await waiting(rig.session)
  expect([asked?.toolName, asked?.effects.map(({ kind }) => kind)]).toEqual(['apply_patch', ['delete']])
  expect(await readFile(join(rig.folder, 'a.txt'), 'utf8')).toBe('x\n')
  answerCall(rig.session, asked, 'keep it')
  const second = await rig.session.record.until(() => {
    const item = rig.session.state().items.at(-1)
    return item?.kind === 'call' && item.toolName === 'delete_file' && item.status === 'waiting' ? item : null
  }, new AbortController().signal)
  answerCall(rig.session, second)
  await rig.session.idle()
  await expect(stat(join(rig.folder, 'a.txt'))).rejects.toThrow('ENOENT')
})
