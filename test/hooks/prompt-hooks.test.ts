import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HookMoment } from '../../main/agent/ports/hooks.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import type { AskModel, ModelQuestion } from '../../main/hooks/prompt-hook.ts'
import { createHooks } from '../../main/hooks/run-hooks.ts'
import { createKnownSecrets } from '../../main/redaction/known-secrets.ts'
import { SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import { NO_USAGE } from '../../shared/session/content.ts'
import type { Hook } from '../../shared/session/hooks.ts'
import { openDesk, staying } from '../api/support/served-desk.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { hook } from './support/hook.ts'

const MODEL = { provider: 'anthropic', model: 'claude-opus-4-8', baseUrl: null } as const
const CALL = { toolCallId: ToolCallId.parse('c1'), toolName: 'shell', args: { command: 'rm -rf sk-ant-nobodys-key' } }
const COST = { usage: { ...NO_USAGE, input: 10, output: 2 }, costUsd: 0.5 }

/** Returns what one prompt hook says about a moment if the model answers with this text. If `text` is null, the model never answers. */
async function asked(moment: HookMoment, text: string | null, more: Partial<Hook> = {}) {
  const heard: ModelQuestion[] = []
  const ask: AskModel = async (question, signal) => {
    heard.push(question)
    if (text !== null) return { text, cost: COST }
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return { why: 'It was aborted.', cost: null }
  }
  const redactor = createKnownSecrets()
  redactor.add('key', 'sk-ant-nobodys-key')
  const hooks = createHooks({
    hooks: [{ ...hook(moment.event, 'Is it safe?'), prompt: { text: 'Is it safe? $ARGUMENTS' }, ...more }],
    redactor,
    ask,
    env: createLocalExecutionEnvironment('/'),
    project: '/',
    home: null,
    sessionId: SessionId.parse('s1'),
  })
  const answer = await hooks.run(moment, { mode: 'ask', model: MODEL, turns: () => [], signal: new AbortController().signal })
  return { answer, heard }
}

describe('a prompt hook', () => {
  const no = '{"ok": false, "reason": "It deletes."}'
  test.each([
    ['PreToolUse', '{"ok": true}', { outcome: 'passed' }, null],
    ['PreToolUse', `Here it is:\n\`\`\`json\n${no}\n\`\`\``, { outcome: 'blocked', says: 'It deletes.' }, 'deny'],
    ['PreToolUse', '{"ok": false}', { outcome: 'blocked', says: 'The model gave no reason.' }, 'deny'],
    ['PreToolUse', 'Yes, it is safe.', { outcome: 'failed', says: expect.stringContaining('did not answer with') }, 'ask'],
    ['PreToolUse', '{"ok": "yes"}', { outcome: 'failed' }, 'ask'],
    ['PermissionRequest', '{"ok": true}', { outcome: 'passed' }, null],
    ['PermissionRequest', no, { outcome: 'blocked', says: 'It deletes.' }, 'deny'],
  ] as const)('of %s passes, blocks or fails as the model answers: %j', async (event, text, run, decision) => {
    const { answer } = await asked({ event, ...CALL }, text)
    expect(answer.runs).toMatchObject([run])
    expect(answer.decision).toBe(decision)
    expect(answer.spent).toEqual([COST])
  })

  test('of the Stop event makes the agent continue, and gives it the model’s reason', async () => {
    const { answer } = await asked({ event: 'Stop', isContinued: false, lastWords: 'Done.' }, no)
    expect(answer).toMatchObject({ decision: 'deny', reason: 'It deletes.' })
  })

  test('asks the user if the model does not answer in time, or blocks if the hook is set to block on failure', async () => {
    const late = await asked({ event: 'PreToolUse', ...CALL }, null, { timeoutMs: 20 })
    expect(late.answer).toMatchObject({ decision: 'ask', runs: [{ says: expect.stringContaining('did not answer within') }] })
    const strict = await asked({ event: 'PreToolUse', ...CALL }, null, { timeoutMs: 20, failureBlocks: true })
    expect(strict.answer.decision).toBe('deny')
  })

  test('sends the rule, and the input without secrets, to the model that the hook names', async () => {
    const { heard } = await asked({ event: 'PreToolUse', ...CALL }, '{"ok": true}', { prompt: { text: 'Is it safe?', model: 'haiku' } })
    expect(heard).toMatchObject([{ model: MODEL, wanted: 'haiku' }])
    expect(heard[0]?.question).toMatch(/^Is it safe\?\n\n\{.*"tool_name":"Bash"/su)
    expect(heard[0]?.question).not.toContain('nobodys-key')
  })

  test('of a project uses the session’s model, whose "no" blocks the call and whose cost counts', async () => {
    const desk = await openDesk(({ body }) => {
      if (!JSON.stringify(body).includes('You are a hook of a coding agent'))
        return JSON.stringify(body).includes('No files here.')
          ? say('I stop.')
          : calls(call('write_file', { file_path: 'a.txt', content: 'x' }, 'w1'))
      return say('{"ok": false, "reason": "No files here."}', { usage: { input: 1_000, output: 7 } })
    })
    const prompt = { type: 'prompt', prompt: 'May this file be written? $ARGUMENTS' }
    mkdirSync(join(desk.folder, '.claude'))
    writeFileSync(
      join(desk.folder, '.claude/settings.json'),
      JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Write', hooks: [prompt] }] } }),
    )
    const sessionId = await desk.session('full')
    await desk.client.sessions.send({ sessionId, inputId: 'i', text: 'Write a file', delivery: 'queue' })
    const question = JSON.stringify((await desk.model.request(1)).body)
    expect(question).toMatch(/May this file be written\?.*a\.txt/su)
    await desk.model.request(2)
    const state = async () => {
      for await (const item of desk.client.sessions.open({ sessionId, cursor: null }, staying()))
        if (item.kind === 'snapshot') return item.state
      return null
    }
    await expect.poll(async () => (await state())?.run).toBe('IDLE')
    const now = await state()
    expect(now?.items).toContainEqual(
      expect.objectContaining({ kind: 'call', status: 'barred', output: expect.stringContaining('No files here.') }),
    )
    expect(now?.usage.input).toBeGreaterThanOrEqual(1_000)
    // The hook's question is not part of the conversation.
    expect(now?.context).toBeLessThan(1_000)
  })
})
