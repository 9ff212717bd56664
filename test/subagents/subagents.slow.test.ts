import { wordList } from '../../shared/lib/word-list.ts'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AGENT_TYPES } from '../../main/subagents/built-in-agents.ts'
import { READING_TOOLS } from '../../shared/tools/catalogue.ts'
import type { SpawnRequest } from '../../main/agent/ports/subagents.ts'
import { createSubagents, SUBAGENT_LIMITS } from '../../main/subagents/subagents.ts'
import { DEFAULT_SETTINGS } from '../../main/settings/default-settings.ts'
import { ToolCallId } from '../../shared/lib/ids.ts'
import type { CallItem } from '../../shared/session/state.ts'
import { NO_LEASE } from '../../shared/session/settings/budget-lease.ts'
import { call, calls, gate, say } from '../support/scripted-model.ts'
import { type Family, openFamily } from './support/family.ts'

const task = (agentType: string, prompt: string) => call('task', { agent_type: agentType, prompt })
const spawn = (words: string, more: object = {}) => call('spawn_agent', { task: words, agent_type: 'code', ...more })
const resultsOf = ({ app, parent }: Family): readonly CallItem[] =>
  (app.store.ledger.snapshot(parent.sessionId, 100)?.items ?? []).filter((item): item is CallItem => item.kind === 'call')
const idIn = (words: string): string => /s_[0-9a-f]{24}/u.exec(words)?.[0] ?? ''
const toolNames = (body: { readonly tools?: readonly unknown[] }) => (body.tools ?? []).map((tool) => (tool as { name: string }).name)

/** Returns the pid that the command wrote to a file. 0 if no command has written it. */
function pidIn({ folder }: Family): number {
  const file = join(folder, 'pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}

describe('a task given to a subagent (R-27)', () => {
  test('has its own history and only read-only tools, and its last answer is the result (S-39, AC7.1, AC7.6, D-22)', async () => {
    const family = await openFamily(({ who, round }) => {
      if (who === 'PARENT') return round === 0 ? calls(task('explore', 'CHILD-A: where is the answer?')) : say('Thanks.')
      return round === 0 ? calls(call('read_file', { file_path: 'a.txt' })) : say('It is in a.txt, line 1: 42.')
    })
    writeFileSync(join(family.folder, 'a.txt'), '42\n')
    await family.ask('Find the answer')
    const [item] = resultsOf(family)
    expect(item).toMatchObject({ status: 'done', output: 'It is in a.txt, line 1: 42.', isError: false })
    const [, ofChild] = family.model.requests
    expect(JSON.stringify(ofChild?.body.messages)).not.toContain('Find the answer')
    const given = toolNames(ofChild?.body ?? {})
    expect(given).toContain('read_file')
    expect(given.filter((name) => !READING_TOOLS.has(name))).toEqual([])
    const child = await family.child()
    expect(child.record.state()).toMatchObject({
      cwd: family.folder,
      ended: 'completed',
      config: { mode: 'plan', model: 'claude-haiku-4-5' },
      parent: { sessionId: family.parent.sessionId, agentType: 'explore', depth: 1, readsOnly: true },
    })
    expect(item?.details).toEqual({ agentId: child.sessionId, agentType: 'explore', status: 'completed', turnsUsed: 2, report: null })
  })

  test(
    'can return five megabytes, truncated for the parent’s model and complete for the user (fault 60)',
    { timeout: 120_000 },
    async () => {
      const long = 'word '.repeat(1_000_000)
      const family = await openFamily(({ who, round }) =>
        who === 'PARENT' ? (round === 0 ? calls(task('explore', 'CHILD-A')) : say('Thanks.')) : say(long),
      )
      await family.ask()
      expect(family.parent.record.state().ended).toBe('completed')
      const [item] = resultsOf(family)
      expect(item).toMatchObject({ status: 'done', isError: false, outputBlob: { bytes: long.trim().length } })
      expect(family.model.requests.at(-1)?.bytes.byteLength).toBeLessThan(200_000)
      expect(JSON.stringify(family.model.requests.at(-1)?.body.messages.at(-1))).toMatch(/WARNING|omitted|truncated/i)
    },
  )

  test('needs signatures in its own session if it writes, and the parent gets all its events (P2-23, fault 60)', async () => {
    const family = await openFamily(
      ({ who, round }) => {
        if (who === 'PARENT') return round === 0 ? calls(task('code', 'CHILD-A: write it')) : say('Thanks.')
        return round === 0 ? calls(call('write_file', { file_path: 'new.txt', content: 'new\n' })) : say('Written.')
      },
      { sandbox: 'off', mode: 'ask' },
    )
    const heard: string[] = []
    family.parent.record.subscribe(({ event }) => void (event.kind === 'SUBAGENT_EVENT' && heard.push(event.event.kind)))
    const ended = family.ask()
    await family.parent.record.until(() => (heard.includes('APPROVAL_REQUESTED') ? true : null), AbortSignal.timeout(60_000))
    const child = await family.child()
    expect(family.children()[0]).toMatchObject({ need: 'A change to 1 file', run: 'AWAITING_INPUT' })
    expect(existsSync(join(family.folder, 'new.txt'))).toBe(false)
    const waiting = child.record.state().items.find((item): item is CallItem => item.kind === 'call' && item.status === 'waiting')
    if (!waiting?.approval) throw new Error('Nothing waits.')
    const { approvalId, hash } = waiting.approval
    await child.answer({ approvalId, hash, answer: { kind: 'sign' }, from: 'terminal' })
    await ended
    expect(readFileSync(join(family.folder, 'new.txt'), 'utf8')).toBe('new\n')
    expect(resultsOf(family)[0]?.output).toContain(
      'Written.\nThe subagent worked in the folder itself, where only one subagent may write at a time',
    )
    expect(heard).toEqual(
      wordList(`
  SESSION_START USER_INPUT REQUEST_CONTEXT ASSISTANT_TURN USAGE TOOL_CALL_START APPROVAL_REQUESTED APPROVAL_ANSWERED
  TOOL_EXECUTION_START FILES_CHANGED TOOL_CALL_END ASSISTANT_TURN USAGE PROCESSING_END
`),
    )
  })

  test('runs concurrently with other read-only subagents, but writing subagents run one at a time (D-53, R-04, R-74)', async () => {
    const reading = gate()
    const writing = gate()
    const at: string[] = []
    const family = await openFamily(async ({ who, round }) => {
      at.push(who)
      if (who === 'PARENT' && round === 0)
        return calls(task('explore', 'CHILD-R1'), task('plan', 'CHILD-R2'), task('code', 'CHILD-W1'), task('test', 'CHILD-W2'))
      if (who === 'PARENT') return say('Thanks.')
      if (at.length === 4) reading.open()
      if (who.startsWith('CHILD-R')) await reading.opened
      if (who === 'CHILD-W1') {
        await reading.opened
        await writing.opened
      }
      return say(`Done by ${who}.`)
    })
    const ended = family.ask()
    await reading.opened
    expect(at.toSorted()).toEqual(['CHILD-R1', 'CHILD-R2', 'CHILD-W1', 'PARENT'])
    writing.open()
    await ended
    expect(resultsOf(family).map(({ output }) => output)).toEqual(['R1', 'R2', 'W1', 'W2'].map((name) => `Done by CHILD-${name}.`))
  })

  test('cannot have its own subagents (AC7.5, fault 60), and the answer to an unknown type lists the known types', async () => {
    const family = await openFamily(({ who, round }) => {
      if (who === 'PARENT') return round === 0 ? calls(task('code', 'CHILD-A'), task('wizard', 'CHILD-B')) : say('Thanks.')
      return round === 0 ? calls(task('code', 'CHILD-C')) : say('No.')
    })
    await family.ask()
    expect(resultsOf(family).map(({ output }) => output)).toEqual(['No.', 'There is no kind of subagent wizard.'])
    const told = JSON.stringify(family.model.requests.at(-1)?.body.messages)
    expect(told).toContain('There is no kind of subagent wizard. Available kinds: explore, plan, code, test.')
    expect(JSON.stringify(family.model.requests.at(-2)?.body.messages)).toContain('Unknown tool: task.')
    expect(family.children().length).toBe(1)
  })

  test('stops with its parent, and so does its running command (fault 60)', async () => {
    const family = await openFamily(({ who }) =>
      who === 'PARENT' ? calls(task('code', 'CHILD-A')) : calls(call('shell', { command: 'echo $$ > pid; exec sleep 300' })),
    )
    const ended = family.ask()
    await expect.poll(() => existsSync(join(family.folder, 'pid')) && readFileSync(join(family.folder, 'pid'), 'utf8').trim()).toBeTruthy()
    const pid = Number(readFileSync(join(family.folder, 'pid'), 'utf8'))
    await family.parent.stop()
    await ended
    const child = await family.child()
    await child.running()?.idle()
    expect([family.parent.record.state().ended, child.record.state().ended]).toEqual(['stopped', 'stopped'])
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/u)
  })

  test('never has more permissions than its parent, even if the parent’s are reduced during the run', async () => {
    const held = gate()
    const family = await openFamily(async ({ who, round }) => {
      if (who === 'PARENT') return round === 0 ? calls(task('code', 'CHILD-A')) : say('Thanks.')
      await held.opened
      return say('Done.')
    })
    const ended = family.ask()
    await family.model.request(1)
    const child = await family.child()
    expect(child.record.state().config.mode).toBe('full')
    await family.parent.configure({ mode: 'ask' })
    await child.record.until(() => (child.record.state().config.mode === 'ask' ? true : null), AbortSignal.timeout(60_000))
    held.open()
    await ended
  })
})

describe('spawn_agent, send_input, wait, close_agent (S-38)', () => {
  test('the parent continues at once, wait returns the result, and a second message keeps the history (AC7.3, T-06)', async () => {
    const held = gate()
    let id = ''
    const family = await openFamily(async ({ who, round, newest }) => {
      id ||= idIn(newest)
      if (who === 'CHILD-A') {
        await held.opened
        return say(`Answer ${round + 1}.`)
      }
      switch (round) {
        case 0:
          return calls(spawn('CHILD-A: do it'))
        case 1:
          return calls(call('wait', { agent_id: id, timeout_ms: 1 }))
        case 2:
          held.open()
          return calls(call('wait', { agent_id: id }))
        case 3:
          return calls(call('send_input', { agent_id: id, message: 'And now?' }))
        case 4:
          return calls(call('wait', { agent_id: id }))
        case 5:
          return calls(call('close_agent', { agent_id: id }))
        case 6:
          return calls(
            call('send_input', { agent_id: id, message: 'Still there?' }),
            call('wait', { agent_id: id }),
            call('wait', { agent_id: 'nobody' }),
          )
        default:
          return say('Thanks.')
      }
    })
    await family.ask()
    const outputs = resultsOf(family).map(({ output }) => output)
    expect(resultsOf(family).map(({ details }) => (details as { readonly report: string | null } | null)?.report)).toEqual([
      null,
      '',
      'Answer 1.',
      '',
      'Answer 2.',
      'Answer 2.',
      undefined,
      'Answer 2.',
      undefined,
    ])
    expect(outputs.slice(0, 6).map((output) => JSON.parse(output) as unknown)).toEqual([
      { agent_id: id, status: 'running' },
      { agent_id: id, status: 'running', output: '', success: false, turns_used: 0 },
      { agent_id: id, status: 'completed', output: 'Answer 1.', success: true, turns_used: 1 },
      { agent_id: id, status: 'running', output: '', success: false, turns_used: 1 },
      { agent_id: id, status: 'completed', output: 'Answer 2.', success: true, turns_used: 2 },
      { agent_id: id, status: 'completed', output: 'Answer 2.', success: true, turns_used: 2 },
    ])
    expect(outputs.slice(6)).toEqual([
      `${id} is closed. Start another subagent.`,
      JSON.stringify({ agent_id: id, status: 'completed', output: 'Answer 2.', success: true, turns_used: 2 }),
      `There is no subagent nobody. Known ids: ${id}.`,
    ])
  })

  test('close_agent ends the subagent’s work, including its command, and says how it ended (AC7.4)', async () => {
    let id = ''
    const family = await openFamily(async ({ who, round, newest }) => {
      id ||= idIn(newest)
      if (who !== 'PARENT') return calls(call('shell', { command: 'echo $$ > pid; exec sleep 300' }))
      if (round === 0) return calls(spawn('CHILD-A: sleep'))
      if (round > 1) return say('Thanks.')
      await expect.poll(() => pidIn(family)).toBeGreaterThan(0)
      return calls(call('close_agent', { agent_id: id }))
    })
    await family.ask()
    const report = resultsOf(family).find(({ toolName }) => toolName === 'close_agent')
    expect(JSON.parse(report?.output ?? '')).toMatchObject({
      agent_id: id,
      status: 'failed',
      success: false,
      turns_used: 1,
      why: 'It was stopped.',
    })
    expect(family.children()[0]?.run).toBe('CLOSED')
    expect(() => process.kill(pidIn(family), 0)).toThrow(/ESRCH/u)
  })

  test('a subagent is ended with a reason before a request that would exceed its budget (fault 60)', async () => {
    const read = calls(call('read_file', { file_path: 'a.txt' }))
    let id = ''
    const family = await openFamily(({ who, round, newest }) => {
      id = idIn(newest) || id
      if (who !== 'PARENT') return { ...read, usage: { input: 600, output: 0 } }
      if (round === 0) return calls(spawn('CHILD-A', { max_turns: 2 }))
      if (round === 1 || round === 3) return calls(call('wait', { agent_id: id }))
      if (round === 2) return calls(spawn('CHILD-B', { max_tokens: 1000 }))
      return say('Thanks.')
    })
    await family.ask()
    const reports = resultsOf(family).filter(({ toolName }) => toolName === 'wait')
    expect(reports.map(({ output }) => JSON.parse(output) as unknown)).toEqual([
      expect.objectContaining({
        status: 'failed',
        success: false,
        turns_used: 2,
        why: 'The session has reached its limit of 2 answers.',
      }),
      expect.objectContaining({ status: 'failed', success: false, turns_used: 2, why: 'The budget of 1,000 tokens is used up.' }),
    ])
    expect(family.model.requests.filter(({ body }) => JSON.stringify(body.messages[0]).includes('CHILD')).length).toBe(4)
  })

  test('repeating the same call does not create a second subagent, even in the next process', async () => {
    const family = await openFamily(({ who }) => say(`By ${who}.`))
    const parent = family.app.store.sessions.get(family.parent.sessionId)
    if (!parent) throw new Error('no parent')
    const parts = { parent, store: family.app.store, sessions: () => family.app.sessions, types: () => AGENT_TYPES, lease: () => NO_LEASE }
    const make = () => createSubagents({ ...parts, limits: { ...SUBAGENT_LIMITS, reading: DEFAULT_SETTINGS.readingSubagents } })
    const request: SpawnRequest = {
      toolCallId: ToolCallId.parse('toolu_1'),
      agentType: 'code',
      task: 'CHILD-A',
      model: null,
      workingDir: null,
      lease: NO_LEASE,
      patient: false,
      signal: AbortSignal.timeout(60_000),
    }
    const first = await make().spawn(request)
    const again = make()
    expect(await again.spawn(request)).toEqual(first)
    if (!first.ok) throw new Error(first.failure)
    expect(await again.wait(first.value, { timeoutMs: null, signal: AbortSignal.timeout(60_000) })).toMatchObject({
      ok: true,
      value: { output: 'By CHILD-A.', turnsUsed: 1 },
    })
    expect(family.children().length).toBe(1)
  })
})
