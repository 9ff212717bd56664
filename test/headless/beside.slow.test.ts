import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { ofKind, runAgent } from './support/agent-process.ts'
import { place } from './support/model-place.ts'

describe.skipIf(hasNoCopies)('a run beside the folder', { timeout: 90_000 }, () => {
  test('changes nothing in the folder, asks nothing, and is brought in by another run', async () => {
    const at = await place([calls(call('shell', { command: 'echo more >> a.txt' })), say('Done.')])
    await writeFile(join(at.cwd, 'a.txt'), 'hello\n')
    const text = (): Promise<string> => readFile(join(at.cwd, 'a.txt'), 'utf8')
    const worked = await runAgent(['--beside', 'Do it'], at)
    expect([worked.code, ofKind(worked, 'APPROVAL_REQUESTED')]).toEqual([0, []])
    expect(await text()).toBe('hello\n')
    const shown = await runAgent(['bring-in', 'last', '--pause'], at)
    expect(shown.code).toBe(3)
    expect(ofKind(shown, 'APPROVAL_REQUESTED')[0]?.effects).toMatchObject([{ kind: 'command' }, { kind: 'write', shown: 'a.txt' }])
    expect(await text()).toBe('hello\n')
    const signed = await runAgent(['bring-in', 'last', '--approve', 'all'], at)
    expect(signed.code).toBe(0)
    expect(await text()).toBe('hello\nmore\n')
    expect(at.model.requests).toHaveLength(2)
  })

  test('says what is wrong with a wrong use', async () => {
    const at = await place([])
    expect(await runAgent(['bring-in', 'last'], at)).toMatchObject({ code: 1, stderr: expect.stringContaining('No session works beside') })
    expect(await runAgent(['--beside', '--sandbox', 'off', 'Do it'], at)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--beside needs the sandbox'),
    })
  })
})
