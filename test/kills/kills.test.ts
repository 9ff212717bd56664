import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newId, SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import { NO_LEASE } from '../../shared/session/settings/budget-lease.ts'
import { runAgent } from '../headless/support/agent-process.ts'
import { place } from '../headless/support/model-place.ts'
import { CONFIG, opened } from '../store/support/stores.ts'
import { say } from '../support/scripted-model.ts'

const anySession = (): SessionId => SessionId.parse(newId('s'))

describe('the next launch after the app was killed', () => {
  test('removes an interrupted import that cannot be finished, and then starts normally', async () => {
    const at = await place([say('Hello.')])
    const half = anySession()
    const died = await opened(at.data)
    died.sessions.importBegins([half], null)
    died.sessions.appendPast(half, [{ kind: 'SESSION_START', sessionId: half, cwd: at.cwd, ...CONFIG }], [1])
    died.close()
    const next = await runAgent(['Say hello'], at)
    expect([next.code, next.stderr]).toEqual([0, ''])
    const store = await opened(at.data)
    expect(store.sessions.get(half)).toBeNull()
    expect(store.sessions.list()).toHaveLength(1)
    store.close()
  })

  test('removes copies of subagents that never started, but keeps a copy whose work the parent has not received', async () => {
    const at = await place([])
    const store = await opened(at.data)
    const parent = store.sessions.create({ cwd: at.cwd, ...CONFIG })
    const link = {
      sessionId: parent,
      toolCallId: ToolCallId.parse('call'),
      agentType: 'code',
      depth: 1,
      readsOnly: false,
      ownCopy: true as const,
      lease: NO_LEASE,
    }
    const working = store.sessions.create({ cwd: at.cwd, ...CONFIG, parent: link })
    store.close()
    for (const id of [working, anySession()]) {
      await mkdir(join(at.data, 'subagents', id, 'tree'), { recursive: true })
      writeFileSync(join(at.data, 'subagents', id, 'tree', 'a.txt'), 'text')
    }
    expect((await runAgent(['export', 'none'], at)).code).toBe(1)
    expect(readdirSync(join(at.data, 'subagents'))).toEqual([working])
    expect(existsSync(join(at.data, 'subagents', working, 'tree/a.txt'))).toBe(true)
  })
})
