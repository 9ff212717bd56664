import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import { call, calls, say } from '../../support/scripted-model.ts'
import { runOnTerminal } from '../support/agent-terminal.ts'
import { appOver } from '../support/app-over.ts'
import { place } from '../support/model-place.ts'
import { kept, storedEvents } from '../support/stored-events.ts'

const COMMAND = calls(call('shell', { command: 'echo ran > proof' }))

test('the question in the terminal disappears if another process answers it, and the run continues', async () => {
  const at = await place([COMMAND, say('Done.')])
  const other = await appOver(at.data, at.cwd)
  const sign = async (): Promise<void> => {
    const [summary] = other.store.sessions.list()
    const opened = summary && (await other.sessions.open(summary.sessionId))
    if (!opened?.ok) throw new Error('The session cannot be opened.')
    const [waiting] = pendingCalls(opened.value.record.state())
    if (!waiting?.approval) throw new Error('Nothing waits.')
    const { approvalId, hash } = waiting.approval
    expect(await opened.value.answer({ approvalId, hash, answer: { kind: 'sign' }, from: 'terminal' })).toEqual({ kind: 'accepted' })
  }
  const { code, screen } = await runOnTerminal(['Do it'], at, [{ when: 'Sign it?', type: () => void sign() }])
  expect(code).toBe(0)
  expect(screen).toContain('// Signed')
  expect(existsSync(join(at.cwd, 'proof'))).toBe(true)
  expect(kept(await storedEvents(at.data), 'APPROVAL_ANSWERED').map(({ answer }) => answer)).toEqual([{ kind: 'signed' }])
})
