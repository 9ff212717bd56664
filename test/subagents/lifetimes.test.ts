import { describe, expect, test } from 'vitest'
import { AGENT_TYPES } from '../../main/subagents/built-in-agents.ts'
import { createSubagents, SUBAGENT_LIMITS } from '../../main/subagents/subagents.ts'
import { DEFAULT_SETTINGS } from '../../main/settings/default-settings.ts'
import type { Sessions } from '../../main/sessions/sessions.ts'
import { type SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import { NO_LEASE } from '../../shared/session/settings/budget-lease.ts'
import { startSession } from '../sessions/support/child.ts'
import { call, calls, gate, httpError, say } from '../support/scripted-model.ts'
import { type Family, openFamily } from './support/family.ts'

const task = (agentType: string, prompt: string) => call('task', { agent_type: agentType, prompt })
const spawn = (words: string) => call('spawn_agent', { task: words, agent_type: 'explore' })
const outputsOf = ({ app, parent }: Family): readonly string[] =>
  (app.store.ledger.snapshot(parent.sessionId, 100)?.items ?? []).flatMap((item) => (item.kind === 'call' ? [item.output] : []))
const rest = async (family: Family, index = 0) => {
  const child = await family.child(index)
  await child.running()?.idle()
  return child
}
const told = ({ parent }: Family) =>
  [...parent.record.read()].flatMap(({ event }) => (event.kind === 'STEERING_INJECTED' ? [event.text] : []))

describe('waiting for a subagent ends', () => {
  test('when it fails before its first answer, with the reason (fault 60)', async () => {
    const family = await openFamily(({ who, round }) => {
      if (who !== 'PARENT') return httpError(401, 'authentication_error', 'invalid x-api-key')
      return round === 0 ? calls(task('explore', 'CHILD-A')) : say('Thanks.')
    })
    await family.ask()
    expect(outputsOf(family)[0]).toMatch(/^The explore subagent did not finish: .*key/)
    expect((await family.child()).record.state().ended).toBe('error')
  })

  test('when its session is closed', async () => {
    const held = gate()
    const family = await openFamily(async ({ who, round }) => {
      if (who === 'PARENT') return round === 0 ? calls(task('explore', 'CHILD-A')) : say('Thanks.')
      await held.opened
      return say('Too late.')
    })
    const ended = family.ask()
    await family.model.request(1)
    await family.app.sessions.close((await family.child()).sessionId)
    await ended
    held.open()
    expect(outputsOf(family)).toEqual(['The explore subagent did not finish: It was stopped.'])
    expect(family.children()[0]?.run).toBe('CLOSED')
  })

  test('when its turn is stopped while it waits for a signature', async () => {
    const family = await openFamily(
      ({ who, round }) => {
        if (who !== 'PARENT') return calls(call('write_file', { file_path: 'a', content: 'a' }))
        return round === 0 ? calls(task('code', 'CHILD-A')) : say('Thanks.')
      },
      { mode: 'ask', sandbox: 'off' },
    )
    const ended = family.ask()
    await expect.poll(() => family.children()[0]?.run).toBe('AWAITING_INPUT')
    await (await family.child()).stop()
    await ended
    expect(outputsOf(family)).toEqual([expect.stringContaining('The code subagent did not finish: It was stopped.')])
    const step = family.app.store.ledger.snapshot(family.parent.sessionId, 100)?.items.find((item) => item.kind === 'call')
    expect(step?.details).toEqual({
      agentId: family.children()[0]?.sessionId,
      agentType: 'code',
      status: 'stopped',
      turnsUsed: 1,
      report: null,
    })
    expect(family.parent.record.state().ended).toBe('completed')
  })

  test('when the process that ran it has died (fault 60)', async () => {
    const family = await openFamily(async ({ who }) => {
      if (who === 'CHILD-A') await new Promise(() => {})
      return say('Hello.')
    })
    const { app, parent, folder, model } = family
    const toolCallId = ToolCallId.parse('toolu_1')
    const link = { sessionId: parent.sessionId, toolCallId, agentType: 'code', depth: 1, readsOnly: false, lease: NO_LEASE }
    const { config } = parent.record.state()
    const id = app.store.sessions.create({ cwd: folder, ...config, parent: link })
    const other = await startSession({ data: app.parts.dataFolder, folder, modelUrl: model.url, sessionId: id })
    other.tell({ kind: 'send', text: 'CHILD-A' })
    await model.request(0)
    const summary = app.store.sessions.get(parent.sessionId)
    if (!summary) throw new Error('no parent')
    const agents = createSubagents({
      parent: summary,
      store: app.store,
      sessions: () => app.sessions,
      types: () => AGENT_TYPES,
      lease: () => NO_LEASE,
      limits: { ...SUBAGENT_LIMITS, reading: DEFAULT_SETTINGS.readingSubagents },
    })
    const waited = agents.wait(id, { timeoutMs: null, signal: AbortSignal.timeout(60_000) })
    await other.kill()
    expect(await waited).toMatchObject({ ok: true, value: { status: 'failed', why: 'It was interrupted.' } })
  })

  test('when the parent is stopped before the subagent starts, and the subagent’s slot is freed', async () => {
    const family = await openFamily(({ who }) => say(`By ${who}.`))
    const { app, parent } = family
    const summary = app.store.sessions.get(parent.sessionId)
    if (!summary) throw new Error('no parent')
    const stop = new AbortController()
    const create: Sessions['create'] = async (start) => {
      const made = await app.sessions.create(start)
      stop.abort(new Error('stopped meanwhile'))
      return made
    }
    const agents = createSubagents({
      parent: summary,
      store: app.store,
      types: () => AGENT_TYPES,
      lease: () => NO_LEASE,
      limits: { ...SUBAGENT_LIMITS, reading: DEFAULT_SETTINGS.readingSubagents },
      sessions: () => ({ ...app.sessions, create }),
    })
    const asked = { agentType: 'code', task: 'CHILD-A', model: null, workingDir: null, lease: NO_LEASE, patient: false }
    await expect(agents.spawn({ ...asked, toolCallId: ToolCallId.parse('toolu_1'), signal: stop.signal })).rejects.toThrow(
      'stopped meanwhile',
    )
    const signal = AbortSignal.timeout(60_000)
    const second = await agents.spawn({ ...asked, task: 'CHILD-B', toolCallId: ToolCallId.parse('toolu_2'), signal })
    expect(second.ok && (await agents.wait(second.value, { timeoutMs: null, signal }))).toMatchObject({ value: { output: 'By CHILD-B.' } })
    expect(family.model.requests.length).toBe(1)
  })

  test('when the parent is stopped while the subagent waits for another one to finish', async () => {
    const family = await openFamily(async ({ who }) => {
      if (who === 'PARENT') return calls(task('code', 'CHILD-A'), task('code', 'CHILD-B'))
      return new Promise(() => {})
    })
    const ended = family.ask()
    await family.model.request(1)
    await family.parent.stop()
    await ended
    expect((await rest(family)).record.state().ended).toBe('stopped')
    expect([family.parent.record.state().ended, family.children().length, family.model.requests.length]).toEqual(['stopped', 1, 2])
  })
})

test('a subagent that repeats the same search is stopped, and its parent gets the reason (fault 49, peers 30)', async () => {
  const family = await openFamily(({ who, round }) => {
    if (who !== 'PARENT') return calls(call('grep', { pattern: 'needle' }))
    return round === 0 ? calls(task('explore', 'CHILD-A')) : say('Thanks.')
  })
  await family.ask()
  expect(outputsOf(family)[0]).toMatch(/^The explore subagent did not finish: The agent kept repeating the same steps/)
  expect(family.model.requests.length).toBe(22)
  expect((await family.child()).record.state().ended).toBe('limit')
})

test('an idle parent stays open while its subagent works in the background, however many sessions are opened', async () => {
  const held = gate()
  const family = await openFamily(async ({ who, round }) => {
    if (who === 'CHILD-A') await held.opened
    if (who !== 'PARENT') return say('Found.')
    return round === 0 ? calls(spawn('CHILD-A')) : say('Thanks.')
  })
  const { app, folder, parent } = family
  await family.ask()
  for (let more = 0; more < 25; more++) await app.starter.start(folder, parent.record.state().config)
  const same = await app.sessions.open(parent.sessionId)
  expect(same.ok && same.value === parent).toBe(true)
  held.open()
  await rest(family)
})

describe('closing a parent', () => {
  test('closes its subagents first, even those that nobody has opened since they ran (D-24, S-42)', async () => {
    const held = gate()
    const family = await openFamily(async ({ who, round }) => {
      if (who === 'CHILD-B') await held.opened
      if (who !== 'PARENT') return say('Found.')
      return round === 0 ? calls(task('explore', 'CHILD-A')) : round === 1 ? calls(spawn('CHILD-B')) : say('Thanks.')
    })
    await family.ask()
    await family.app.sessions.close(family.parent.sessionId)
    held.open()
    const runs = family.app.store.sessions.list().map(({ run, ended }) => [run, ended])
    expect(runs.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
      ['CLOSED', 'completed'],
      ['CLOSED', 'completed'],
      ['CLOSED', 'stopped'],
    ])
    const { app, parent, children } = family
    const endOf = (sessionId: SessionId) => [...app.store.log(sessionId).read()].findLast(({ event }) => event.kind === 'SESSION_END')?.seq
    const ends = children().map(({ sessionId }) => endOf(sessionId) ?? Infinity)
    expect([ends.length, Math.max(...ends) < (endOf(parent.sessionId) ?? 0)]).toEqual([2, true])
  })
})

describe('a background subagent that ends while its parent is idle', () => {
  test('is reported once, with the parent’s next request', async () => {
    const held = gate()
    const family = await openFamily(async ({ who, round }) => {
      if (who === 'CHILD-A') await held.opened
      if (who !== 'PARENT') return say('Found.')
      return round === 0 ? calls(spawn('CHILD-A')) : say('Thanks.')
    })
    await family.ask()
    held.open()
    const { sessionId } = await rest(family)
    await family.ask('And?')
    await family.ask('And now?')
    const words = `The explore subagent ${sessionId} that you started has ended: it completed its task. Use wait to get its report.`
    expect(told(family)).toEqual([words])
    const [, , third] = family.model.requests.filter(({ body }) => !JSON.stringify(body.messages[0]).includes('CHILD'))
    expect(JSON.stringify(third?.body.messages.slice(-2))).toContain(words)
  })

  test('is not reported if the parent had waited for its result or had started it with the `task` tool', async () => {
    const family = await openFamily(({ who, round, newest }) => {
      if (who !== 'PARENT') return say('Found.')
      switch (round) {
        case 0:
          return calls(task('explore', 'CHILD-A'), spawn('CHILD-B'))
        case 1:
          return calls(call('wait', { agent_id: /s_[0-9a-f]{24}/u.exec(newest)?.[0] ?? '' }))
        default:
          return say('Thanks.')
      }
    })
    await family.ask()
    await family.ask('And?')
    expect(told(family)).toEqual([])
  })

  test('is reported by the next process as interrupted if it died with its parent', async () => {
    const family = await openFamily(({ who, round }) => {
      if (who !== 'PARENT') return new Promise(() => {})
      return round === 0 ? calls(spawn('CHILD-A')) : say('Thanks.')
    })
    await family.ask()
    const { sessionId } = await family.child()
    await family.app.close()
    const next = await family.again()
    await next.ask('And?')
    await next.ask('And now?')
    expect(told(next)).toEqual([
      `The explore subagent ${sessionId} that you started has ended: It was interrupted. Use wait to get its report.`,
    ])
  })
})
