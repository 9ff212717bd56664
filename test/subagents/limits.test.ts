import { expect, test } from 'vitest'
import type { DurableEvent } from '../../shared/session/events.ts'
import { NO_LEASE } from '../../shared/session/settings/budget-lease.ts'
import { createToolSets } from '../../main/compose/tool-sets.ts'
import { AGENT_TYPES } from '../../main/subagents/built-in-agents.ts'
import { createSubagents, SUBAGENT_LIMITS } from '../../main/subagents/subagents.ts'
import { DEFAULT_SETTINGS } from '../../main/settings/default-settings.ts'
import type { Tool } from '../../main/agent/ports/tool.ts'
import { ToolCallId } from '../../shared/lib/ids.ts'
import { call, calls, gate, say } from '../support/scripted-model.ts'
import { type Family, openFamily } from './support/family.ts'

const eventsOf = ({ parent }: Family): readonly DurableEvent[] => [...parent.record.read()].map(({ event }) => event)
const only = <K extends DurableEvent['kind']>(family: Family, kind: K) =>
  eventsOf(family).filter((event): event is Extract<DurableEvent, { kind: K }> => event.kind === kind)

/**
 * Starts eight read-only subagents in one round and waits until `expected` of them run at the same time. Returns how many run once no more
 * start.
 */
async function atOnce(expected: number, family: (script: Parameters<typeof openFamily>[0]) => Promise<Family>): Promise<number> {
  const held = gate()
  const begun = new Set<string>()
  const made = await family(async ({ who, round }) => {
    if (who !== 'PARENT') {
      begun.add(who)
      await held.opened
      return say('Found.')
    }
    if (round > 0) return say('Thanks.')
    return calls(...Array.from({ length: 8 }, (_, n) => call('task', { agent_type: 'explore', prompt: `CHILD-${n}` })))
  })
  const ended = made.ask()
  await expect.poll(() => begun.size).toBeGreaterThanOrEqual(expected)
  const most = await settled(() => begun.size)
  held.open()
  await ended
  return most
}

/** Resolves with a number once it has not changed for ten checks. */
async function settled(look: () => number): Promise<number> {
  let last = look()
  let same = 0
  await expect
    .poll(() => {
      same = look() === last ? same + 1 : 0
      last = look()
      return same
    })
    .toBeGreaterThanOrEqual(10)
  return last
}

test('three read-only subagents run at the same time unless the user sets another number (D-53)', async () => {
  expect(await atOnce(3, (script) => openFamily(script))).toBe(3)
  expect(await atOnce(5, (script) => openFamily(script, { settings: { readingSubagents: 5 } }))).toBe(5)
})

test('a session has at most 32 subagents, and the next one is refused with the reason (peers 29)', async () => {
  const family = await openFamily(({ who, round }) => {
    if (who !== 'PARENT') return say('Found.')
    return round === 0 ? calls(call('task', { agent_type: 'code', prompt: 'CHILD-X' })) : say('Thanks.')
  })
  const { app, parent, folder } = family
  for (let count = 0; count < 31; count++) {
    const toolCallId = ToolCallId.parse(`toolu_of_before_${count}`)
    const link = { sessionId: parent.sessionId, toolCallId, agentType: 'code', depth: 1, readsOnly: false, lease: NO_LEASE }
    const sessionId = app.store.sessions.create({ cwd: folder, ...parent.record.state().config, parent: link })
    app.store.log(sessionId).append({ kind: 'PROCESSING_END', reason: 'completed' })
  }
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
  const spawn = (id: string) =>
    agents.spawn({
      toolCallId: ToolCallId.parse(id),
      agentType: 'code',
      task: `CHILD-${id}`,
      model: null,
      workingDir: null,
      lease: NO_LEASE,
      patient: true,
      signal: AbortSignal.timeout(60_000),
    })
  expect((await spawn('toolu_last')).ok).toBe(true)
  expect(await spawn('toolu_more')).toEqual({ ok: false, failure: 'This session has reached its limit of 32 subagents.' })
})

test('by default a turn ends after 200 rounds and asks the user whether to continue (D-07, D-43, R-03)', async () => {
  const family = await openFamily(({ round }) => calls(call('read_file', { file_path: `${round}.txt` })))
  await family.ask()
  expect(only(family, 'TURN_LIMIT')).toEqual([{ kind: 'TURN_LIMIT', reason: 'max_tool_rounds', limit: 200 }])
  expect(family.model.requests.length).toBe(200)
})

test.each([
  [184_100, 'the conversation is compacted', 1],
  [183_000, 'the conversation is not compacted', 0],
])('at %i of 200,000 tokens, %s (D-17: 92 %%)', async (input, _, compactions) => {
  const family = await openFamily(({ round }) => ({ ...say(`Answer ${round}.`), usage: { input, output: 0 } }))
  await family.ask('First')
  await family.ask('Second')
  expect(only(family, 'COMPACTED').length).toBe(compactions)
})

test('read-only calls run at the same time with every vendor’s profile (D-18, S-10)', () => {
  const toolSetFor = createToolSets({ tools: [], own: [], given: null, commandLimitMs: () => undefined })
  const models = [
    ['openai', 'gpt-5.5'],
    ['openai-compatible', 'qwen3-coder:30b'],
    ['anthropic', 'claude-sonnet-5-5'],
    ['gemini', 'gemini-3.8-flash'],
  ] as const
  expect(models.map(([provider, model]) => toolSetFor({ provider, model }).parallel)).toEqual([true, true, true, true])
})

test.each([
  [['mcp__docs__search'], [], ['mcp__docs__search']],
  [['mcp__docs__*'], [], ['mcp__docs__search', 'mcp__docs__read']],
  [['mcp__docs'], [], ['mcp__docs__search', 'mcp__docs__read']],
  [['mcp__docs'], ['mcp__docs__read'], ['mcp__docs__search']],
  [['mcp__docs__search', 'mcp__docs_old'], ['mcp__docs'], ['mcp__docs_old__search']],
  [['mcp__*'], ['mcp__docs_old__*'], ['mcp__docs__search', 'mcp__docs__read']],
  [['read_file'], [], ['read_file']],
  [null, ['mcp__docs', 'shell'], ['mcp__docs_old__search', 'read_file', 'bash_output', 'kill_shell']],
  [['shell'], ['kill_shell'], ['shell', 'bash_output']],
])('a subagent with the tools %j except %j gets the matching tools', (tools, excludedTools, expected) => {
  const servers = ['mcp__docs__search', 'mcp__docs__read', 'mcp__docs_old__search']
  const added = [...servers, 'read_file', 'shell', 'bash_output', 'kill_shell'].map(
    (name) => ({ definition: { name, description: '', parameters: {} } }) as unknown as Tool,
  )
  const given = { readsOnly: false, ...(tools && { tools }), excludedTools }
  const toolSetFor = createToolSets({
    tools: [],
    own: [],
    given,
    commandLimitMs: () => undefined,
    changes: () => ({ added, removed: new Set<string>() }),
  })
  const { registry } = toolSetFor({ provider: 'anthropic', model: 'claude-sonnet-5-5' })
  expect(registry.definitions().map(({ name }) => name)).toEqual(expected)
})

test('two subagents of one round can start together without a deadlock (D-18)', async () => {
  const both = gate()
  let asked = 0
  const family = await openFamily(async ({ who, round }) => {
    if (who === 'PARENT') {
      if (round > 0) return say('Thanks.')
      return calls(call('task', { agent_type: 'explore', prompt: 'CHILD-A' }), call('task', { agent_type: 'explore', prompt: 'CHILD-B' }))
    }
    if (++asked === 2) both.open()
    await both.opened
    return say('Found.')
  })
  await family.ask()
  expect([asked, family.parent.record.state().ended]).toEqual([2, 'completed'])
})
