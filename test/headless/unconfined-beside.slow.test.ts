import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { treeOf } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type AgentOutcome, ofKind, runAgent } from './support/agent-process.ts'
import { place } from './support/model-place.ts'
import { pathWithoutBubblewrap } from './support/path-without-bubblewrap.ts'

/** A machine that cannot confine commands, and an agent that makes one call. `madeCall` gets the folder's path. */
async function machine(madeCall: (folder: string) => ReturnType<typeof call>) {
  let folder = ''
  let asked = 0
  const at = await place(() => (asked++ === 0 ? calls(madeCall(folder)) : say('Done.')))
  folder = at.cwd
  await writeFile(join(folder, 'a.txt'), 'hello\n')
  const env = { ...at.env, PATH: await pathWithoutBubblewrap(at.data) }
  return { ...at, env, before: treeOf(folder), file: (name: string) => readFile(join(folder, name), 'utf8') }
}

const changedIn = (outcome: AgentOutcome): readonly string[] =>
  ofKind(outcome, 'FILES_CHANGED').flatMap(({ files }) => files.map(({ path }) => path))

describe('a session beside the folder on a machine that cannot confine commands', { timeout: 60_000 }, () => {
  test('works in a clone even if its commands use the folder’s path, sees that path in their output, and its work is brought in', async () => {
    const at = await machine((folder) =>
      call('shell', { command: `echo more >> a.txt && cd ${folder} && echo "own" > "${folder}/new.txt" && cat ${folder}/new.txt && pwd` }),
    )
    const outcome = await runAgent(['--beside', '--approve', 'all', 'Do it'], at)
    expect([outcome.code, treeOf(at.cwd)]).toEqual([0, at.before])
    expect(ofKind(outcome, 'TOOL_CALL_END')[0]?.output).toContain(`own\n${at.cwd}\n`)
    expect(changedIn(outcome)).toEqual(['a.txt', 'new.txt'].map((name) => join(at.cwd, name)))
    expect((await runAgent(['bring-in', 'last', '--approve', 'all'], at)).code).toBe(0)
    expect([await at.file('a.txt'), await at.file('new.txt')]).toEqual(['hello\nmore\n', 'own\n'])
  })

  test('asks before a command, because it could write elsewhere, and not before an edit', async () => {
    const at = await machine(() => call('shell', { command: 'echo more >> a.txt' }))
    const outcome = await runAgent(['--beside', '--pause', 'Do it'], at)
    expect(ofKind(outcome, 'APPROVAL_REQUESTED')[0]?.effects).toMatchObject([{ kind: 'command', command: 'echo more >> a.txt' }])
    expect([outcome.code, changedIn(outcome)]).toEqual([3, []])
    const edited = await machine(() => call('write_file', { path: 'new.txt', content: 'own\n' }))
    const free = await runAgent(['--beside', '--pause', 'Do it'], edited)
    expect([free.code, changedIn(free), treeOf(edited.cwd)]).toEqual([0, [join(edited.cwd, 'new.txt')], edited.before])
  })

  test('cannot work beside a folder whose repository is elsewhere, because commits would change that repository', async () => {
    const at = await machine(() => call('shell', { command: 'true' }))
    await writeFile(join(at.cwd, '.git'), 'gitdir: /elsewhere\n')
    expect(await runAgent(['--beside', '--approve', 'all', 'Do it'], at)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The repository of this folder is outside it'),
    })
    expect(at.model.requests).toEqual([])
  })
})
