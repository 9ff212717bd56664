import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasNoCopies, processesWith } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { ofKind, runAgent, startAgent } from './support/agent-process.ts'
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

  test('leaves nothing running when it is killed, and the next run goes on in the same layer', async () => {
    const at = await place([
      calls(call('shell', { command: 'echo kept > kept.txt; sleep 4911' })),
      calls(call('shell', { command: 'cat kept.txt' })),
      say('Done.'),
    ])
    const { child, outcome } = startAgent(['--beside', 'Do it'], at)
    await expect.poll(() => processesWith(`sleep\0${4911}`), { timeout: 30_000 }).toHaveLength(1)
    child.kill('SIGKILL')
    await outcome
    await expect.poll(() => processesWith(`sleep\0${4911}`), { timeout: 30_000 }).toEqual([])
    const again = await runAgent(['--continue', 'Go on'], at)
    expect(again.code).toBe(0)
    expect(JSON.stringify(at.model.requests.at(-1)?.body.messages)).toContain('kept\\n')
    expect(existsSync(join(at.cwd, 'kept.txt'))).toBe(false)
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
