import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bringIn } from '../../main/layers/bring-in-session.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { agentPlace, changesByStep, eventsOf, saidIn, send } from './support/agent-place.ts'

const never = new AbortController().signal

describe.skipIf(hasNoCopies)('a session with a third-party agent', () => {
  test('has a change set per call, leaves the folder alone, and is signed at bring-in', async () => {
    const { app, project, start } = await agentPlace()
    await writeFile(join(project, 'kept.txt'), 'before\n')
    const session = await start()
    await send(session, [
      { say: 'I begin.' },
      { write: ['kept.txt', 'after\n'] },
      { write: ['new.txt', 'one\n', { ask: true, early: true }] },
      { run: 'echo two > made.txt; echo done' },
      { mode: true },
    ])
    expect(changesByStep(session)).toEqual([
      ['Write kept.txt', ['~kept.txt']],
      ['Write new.txt', ['+new.txt']],
      ['echo two > made.txt; echo done', ['+made.txt']],
    ])
    expect(saidIn(session)).toContain('[once]')
    expect(saidIn(session)).toContain('[mode free]')
    expect(eventsOf(session, 'TOOL_CALL_END').map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done'])
    expect(eventsOf(session, 'APPROVAL_REQUESTED')).toEqual([])
    expect(await readdir(project)).toEqual(['kept.txt'])
    expect(await readFile(join(project, 'kept.txt'), 'utf8')).toBe('before\n')

    const asked = await bringIn(app, session.sessionId, never)
    if (!asked.ok) throw new Error(asked.failure.what)
    const { session: signing } = asked.value
    const [request] = eventsOf(signing, 'APPROVAL_REQUESTED')
    expect(request?.effects.flatMap((effect) => ('shown' in effect ? [effect.shown] : [])).toSorted()).toEqual([
      'kept.txt',
      'made.txt',
      'new.txt',
    ])
    if (request) await signing.answer({ ...request, answer: { kind: 'sign' }, from: 'terminal' })
    await signing.running()?.idle()
    expect(await readFile(join(project, 'kept.txt'), 'utf8')).toBe('after\n')
  })
})
