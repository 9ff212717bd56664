import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Turn } from '../../main/agent-entry.ts'
import { runAgent } from '../headless/support/agent-process.ts'
import { call, calls, say, startScriptedModel } from '../support/scripted-model.ts'
import { bodyOf, folder, started } from './started-agent.ts'

describe('importSession', () => {
  const turns: readonly Turn[] = [
    { kind: 'user', content: 'What is in a.txt?' },
    {
      kind: 'assistant',
      content: [
        { kind: 'text', text: 'I will look.' },
        { kind: 'tool_call', toolCallId: 'c1' as never, toolName: 'read_file', argsText: '{"file_path":"a.txt"}' },
      ],
    },
    { kind: 'tool_results', results: [{ toolCallId: 'c1', output: '     1\tone', isError: false }] },
    { kind: 'assistant', content: [{ kind: 'text', text: 'It says one.' }] },
  ]

  test('sends the imported conversation to the model and continues it', async () => {
    const { agent, model } = await started([say('Yes, one.')])
    const session = await agent.importSession(turns)
    expect([session.state, session.history()]).toEqual(['IDLE', turns])
    expect(await session.submit('Sure?')).toMatchObject({ text: 'Yes, one.' })
    const { messages } = JSON.parse(await bodyOf(model, 0)) as { messages: { role: string }[] }
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
  })

  test.each([
    [[], 'turns'],
    [turns.slice(0, 2), 'calls without results: read_file'],
    [[turns[0], turns[2]], 'turns[1] has a result for c1, but there is no such call'],
    [[turns[0], turns[1], turns[3]], 'turns[2] must contain the results of read_file'],
    [turns.slice(1), 'turns[0]: a conversation must begin with a user turn'],
    [[{ kind: 'nobody', content: '' }], 'turns[0][kind]'],
    ['', 'turns: '],
    ['not JSON', 'Line 1 cannot be imported: it is not JSON'],
    ['{"seq":1,"sessionId":"a","event":{"kind":"USER_INPUT"}}', 'Line 1 cannot be imported: text'],
    [
      '{"seq":1,"sessionId":"a","event":{"kind":"USAGE"}}\n\n{"seq":1,"sessionId":"b","event":{"kind":"USAGE"}}',
      'Line 3 cannot be imported: it belongs to session b',
    ],
  ])('rejects an invalid conversation without creating a session: %#', async (given, words) => {
    const { agent } = await started([])
    await expect(agent.importSession(given as readonly Turn[])).rejects.toThrow(words)
    expect(agent.sessions()).toEqual([])
  })

  test('continues from the JSON lines of a headless run', async () => {
    const first = await startScriptedModel([calls(call('read_file', { file_path: 'a.txt' })), say('It says one.')])
    onTestFinished(() => first.close())
    const cwd = await folder()
    await writeFile(join(cwd, 'a.txt'), 'one\n')
    const env = { ANTHROPIC_API_KEY: 'sk-ant-test-0000', ANTHROPIC_BASE_URL: first.url }
    const { stdout } = await runAgent(['--json', 'What is in a.txt?'], { cwd, data: await folder(), env })
    const { agent, model } = await started([say('Yes, one.')], { cwd })
    const session = await agent.importSession(stdout)
    expect(session.history().map(({ kind }) => kind)).toEqual(['user', 'assistant', 'tool_results', 'assistant'])
    expect(await session.submit('Sure?')).toMatchObject({ text: 'Yes, one.' })
    const { messages } = JSON.parse(await bodyOf(model, 0)) as { messages: unknown[] }
    const sent = JSON.parse((await first.request(1)).bytes.toString()) as { messages: unknown[] }
    const withoutMarks = (list: readonly unknown[]): unknown =>
      JSON.parse(JSON.stringify(list).replaceAll(/,"cache_control":\{[^}]*\}/g, ''))
    expect(withoutMarks(messages.slice(0, sent.messages.length))).toEqual(withoutMarks(sent.messages))
  })
})
