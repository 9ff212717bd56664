import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, calls, gate, httpError, message, say, text, thinking } from '../../support/scripted-model.ts'
import { hasNoCopies } from '../../environment/copy/support.ts'
import { png } from '../../support/small-pictures.ts'
import { choose } from './support/editor.ts'
import { served } from './support/served.ts'

const prompt = (words: string) => [{ type: 'text' as const, text: words }]

test("an editor gets the agent's abilities, and with a session its modes, options and slash commands", async () => {
  const { editor, project } = await served([])
  expect(await editor.initialize()).toMatchObject({
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    },
  })
  const session = await editor.agent.request('session/new', { cwd: project, mcpServers: [] })
  expect(session.modes).toMatchObject({ currentModeId: 'ask' })
  expect(session.modes?.availableModes.map(({ id }) => id)).toEqual(['plan', 'ask', 'accept-edits', 'auto', 'full'])
  expect(session.configOptions?.map(({ category }) => category)).toEqual(['mode', 'model', 'thought_level'])
  await editor.until(() => editor.ofKind('available_commands_update').length === 1)
  expect(editor.ofKind('available_commands_update')[0]?.availableCommands.map(({ name }) => name)).toContain('compact')
})

test('an edit asks for permission with both complete versions, and is made only after Sign', async () => {
  const { editor, project } = await served([
    calls(call('read_file', { file_path: 'a.txt' })),
    calls(call('write_file', { file_path: 'a.txt', content: 'new\n' }, 'c1')),
    message([thinking('Done, I think.'), text('Written.')]),
  ])
  await writeFile(join(project, 'a.txt'), 'old\n')
  await editor.initialize()
  const { sessionId } = await editor.agent.request('session/new', { cwd: project, mcpServers: [] })
  const file = await readFile(join(project, 'a.txt'), 'utf8')
  expect(await editor.agent.request('session/prompt', { sessionId, prompt: prompt('Write a.txt') })).toEqual({ stopReason: 'end_turn' })
  expect(file).toBe('old\n')
  expect(await readFile(join(project, 'a.txt'), 'utf8')).toBe('new\n')
  const path = join(project, 'a.txt')
  const diff = { type: 'diff', path, oldText: 'old\n', newText: 'new\n' }
  expect(editor.asked).toHaveLength(1)
  expect(editor.asked[0]).toMatchObject({ toolCall: { toolCallId: 'c1', kind: 'edit', locations: [{ path }] } })
  expect(editor.asked[0]?.toolCall.content).toContainEqual(diff)
  expect(editor.asked[0]?.options.map(({ kind, name }) => [kind, name])).toEqual([
    ['allow_once', 'Sign'],
    ['reject_once', 'Refuse'],
  ])
  expect(editor.ofKind('tool_call')).toMatchObject([
    { status: 'pending', kind: 'read', locations: [{ path }] },
    { toolCallId: 'c1', status: 'pending', kind: 'edit' },
  ])
  expect(editor.ofKind('tool_call_update').at(-1)).toMatchObject({ toolCallId: 'c1', status: 'completed', content: [diff] })
  expect(editor.text()).toBe('Written.')
  expect(editor.ofKind('agent_thought_chunk')[0]).toMatchObject({ content: { text: 'Done, I think.' } })
  await editor.until(() => editor.ofKind('usage_update').length > 0)
  expect(editor.ofKind('session_info_update')[0]).toMatchObject({ title: 'Write a.txt' })
})

test('a refused edit changes nothing, and its call fails', async () => {
  const { editor, project } = await served(
    [calls(call('write_file', { file_path: 'a.txt', content: 'new\n' })), say('Then not.')],
    choose('reject_once'),
  )
  await editor.initialize()
  const { sessionId } = await editor.agent.request('session/new', { cwd: project, mcpServers: [] })
  expect(await editor.agent.request('session/prompt', { sessionId, prompt: prompt('Write') })).toEqual({ stopReason: 'end_turn' })
  await expect(readFile(join(project, 'a.txt'), 'utf8')).rejects.toThrow('ENOENT')
  expect(editor.ofKind('tool_call_update').at(-1)).toMatchObject({ status: 'failed' })
})

test.skipIf(hasNoCopies)(
  'a command asks for permission with diffs of what it changed in its copy, and Always adds a rule for this folder',
  async () => {
    const command = 'echo made > made.txt; echo hello'
    const run = (id: string) => calls(call('shell', { command }, id))
    const { editor, project } = await served([run('c1'), run('c2'), say('Ran.')], choose('allow_always'))
    await editor.initialize({ _meta: { terminal_output: true } })
    const { sessionId } = await editor.agent.request('session/new', { cwd: project, mcpServers: [] })
    await editor.agent.request('session/prompt', { sessionId, prompt: prompt('Run it twice') })
    expect(editor.asked).toHaveLength(1)
    expect(editor.asked[0]?.toolCall.content).toContainEqual({
      type: 'diff',
      path: join(project, 'made.txt'),
      oldText: null,
      newText: 'made\n',
    })
    const ended = editor.ofKind('tool_call_update').filter(({ status }) => status === 'completed')
    expect(ended.map(({ toolCallId }) => toolCallId)).toEqual(['c1', 'c2'])
    expect(ended[0]).toMatchObject({
      content: [{ type: 'terminal', terminalId: 'terminal-c1' }, { type: 'diff' }],
      _meta: { terminal_output: { data: expect.stringContaining('hello\r\n') as string }, terminal_exit: { exit_code: 0 } },
    })
    expect(await readFile(join(project, 'made.txt'), 'utf8')).toBe('made\n')
  },
)

test('a command that cannot be undone never offers Always', async () => {
  const { editor, project } = await served([calls(call('shell', { command: 'git reset --hard' })), say('No.')], choose('reject_once'))
  await editor.initialize()
  const { sessionId } = await editor.agent.request('session/new', { cwd: project, mcpServers: [] })
  await editor.agent.request('session/set_mode', { sessionId, modeId: 'full' })
  await editor.agent.request('session/prompt', { sessionId, prompt: prompt('Destroy') })
  expect(editor.asked.map(({ options }) => options.map(({ kind }) => kind))).toEqual([['allow_once', 'reject_once']])
})

test('cancel stops the turn and withdraws its request', async () => {
  const withdrawn = Promise.withResolvers<void>()
  const { editor, project } = await served([calls(call('write_file', { file_path: 'a.txt', content: 'x' }))], (_, signal) => {
    signal.addEventListener('abort', () => withdrawn.resolve())
    return new Promise(() => {})
  })
  await editor.initialize()
  const { sessionId } = await editor.agent.request('session/new', { cwd: project, mcpServers: [] })
  const answer = editor.agent.request('session/prompt', { sessionId, prompt: prompt('Write') })
  await editor.until(() => editor.asked.length === 1)
  await editor.agent.notify('session/cancel', { sessionId })
  await withdrawn.promise
  expect(await answer).toEqual({ stopReason: 'cancelled' })
  await expect(readFile(join(project, 'a.txt'), 'utf8')).rejects.toThrow('ENOENT')
})

test('a session that an editor loads twice at the same time sends each update once', async () => {
  const { editor, project, reconnect, hangUp } = await served([say('First answer.'), say('Second answer.')])
  await editor.initialize()
  const { sessionId } = await editor.agent.request('session/new', { cwd: project, mcpServers: [] })
  await editor.agent.request('session/prompt', { sessionId, prompt: prompt('Begin') })
  await hangUp(editor)
  const next = reconnect()
  await next.initialize()
  const load = () => next.agent.request('session/load', { sessionId, cwd: project, mcpServers: [] })
  await Promise.all([load(), load()])
  const before = next.text().length
  await next.agent.request('session/prompt', { sessionId, prompt: prompt('Go on') })
  expect(next.text().slice(before)).toBe('Second answer.')
})

test('a turn that fails rejects its prompt with a sentence that says what to do', async () => {
  const { editor, project } = await served([httpError(400, 'invalid_request_error', 'No such model')])
  await editor.initialize()
  const { sessionId } = await editor.agent.request('session/new', { cwd: project, mcpServers: [] })
  await expect(editor.agent.request('session/prompt', { sessionId, prompt: prompt('Hello') })).rejects.toMatchObject({
    message: expect.stringContaining('No such model') as string,
    data: { todo: expect.stringMatching(/\.$/u) as string },
  })
})

test('a picture that cannot be used and an unknown mode are rejected with a sentence', async () => {
  const { editor, project } = await served([])
  await editor.initialize()
  const { sessionId } = await editor.agent.request('session/new', { cwd: project, mcpServers: [] })
  await editor.agent.request('session/set_config_option', { sessionId, configId: 'effort', value: 'low' })
  await expect(
    editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] }),
  ).rejects.toThrow('Models cannot read this picture')
  await expect(editor.agent.request('session/set_mode', { sessionId, modeId: 'yolo' })).rejects.toThrow('There is no mode yolo')
})

test('changes of mode and model apply to the session, and the editor is notified', async () => {
  const { editor, project, model } = await served([say('Hi.')])
  await editor.initialize()
  const { sessionId } = await editor.agent.request('session/new', { cwd: project, mcpServers: [] })
  await editor.agent.request('session/set_mode', { sessionId, modeId: 'plan' })
  const changed = await editor.agent.request('session/set_config_option', { sessionId, configId: 'model', value: 'claude-test-9' })
  expect(changed.configOptions.map((option) => ('currentValue' in option ? option.currentValue : null))).toEqual([
    'plan',
    'claude-test-9',
    'default',
  ])
  expect(editor.ofKind('current_mode_update')[0]).toMatchObject({ currentModeId: 'plan' })
  await editor.agent.request('session/prompt', { sessionId, prompt: prompt('Hello') })
  expect(Buffer.from((await model.request(0)).bytes).toString()).toContain('"model":"claude-test-9"')
})

test('pictures and embedded files reach the model', async () => {
  const { editor, project, model } = await served([say('Seen.')])
  await editor.initialize()
  const { sessionId } = await editor.agent.request('session/new', { cwd: project, mcpServers: [] })
  const data = png(2, 2, [255, 0, 0]).toString('base64')
  await editor.agent.request('session/prompt', {
    sessionId,
    prompt: [
      { type: 'text', text: 'Compare ' },
      { type: 'resource', resource: { uri: `file://${project}/notes.md`, text: 'remember ```this```' } },
      { type: 'image', mimeType: 'image/png', data },
    ],
  })
  const body = Buffer.from((await model.request(0)).bytes).toString()
  expect(body).toContain(data)
  expect(body).toContain(`Compare ${project}/notes.md`)
  expect(body).toContain('````\\nremember ```this```\\n````')
})

test('after a restart, sessions are listed by folder and loaded with their history; a deleted session is gone', async () => {
  const { editor, project, reconnect, hangUp } = await served([
    calls(call('todo_write', { todos: [{ content: 'Step one', status: 'in_progress' }] })),
    say('First answer.'),
    say('Second answer.'),
  ])
  await editor.initialize()
  const { sessionId } = await editor.agent.request('session/new', { cwd: project, mcpServers: [] })
  await editor.agent.request('session/prompt', { sessionId, prompt: prompt('Begin') })
  expect(editor.ofKind('plan').at(-1)?.entries).toMatchObject([{ content: 'Step one', status: 'in_progress' }])
  await hangUp(editor)

  const next = reconnect()
  await next.initialize()
  expect((await next.agent.request('session/list', { cwd: project })).sessions).toMatchObject([{ sessionId, cwd: project, title: 'Begin' }])
  await next.agent.request('session/load', { sessionId, cwd: project, mcpServers: [] })
  expect(next.ofKind('user_message_chunk')).toMatchObject([{ content: { text: 'Begin' } }])
  expect(next.text()).toBe('First answer.')
  expect(next.ofKind('tool_call')).toHaveLength(1)
  expect(next.ofKind('plan').at(-1)?.entries).toHaveLength(1)
  await next.agent.request('session/prompt', { sessionId, prompt: prompt('Go on') })
  expect(next.text()).toBe('First answer.Second answer.')

  await next.agent.request('session/close', { sessionId })
  await expect(next.agent.request('session/prompt', { sessionId, prompt: prompt('Still there?') })).rejects.toMatchObject({ code: -32002 })
  await next.agent.request('session/resume', { sessionId, cwd: project, mcpServers: [] })
  await next.agent.request('session/delete', { sessionId })
  expect((await next.agent.request('session/list', {})).sessions).toEqual([])
})

test('a request that is open when the editor disconnects waits for the next editor', async () => {
  const never = gate()
  const { editor, project, reconnect, hangUp } = await served(
    [calls(call('write_file', { file_path: 'a.txt', content: 'late\n' })), say('Written.')],
    async () => {
      await never.opened
      return { outcome: { outcome: 'cancelled' } }
    },
  )
  await editor.initialize()
  const { sessionId } = await editor.agent.request('session/new', { cwd: project, mcpServers: [] })
  const lost = editor.agent.request('session/prompt', { sessionId, prompt: prompt('Write') }).catch(() => 'lost')
  await editor.until(() => editor.asked.length === 1)
  await hangUp(editor)
  editor.connection.close()
  expect(await lost).toBe('lost')
  const next = reconnect()
  await next.initialize()
  await next.agent.request('session/load', { sessionId, cwd: project, mcpServers: [] })
  await next.until(() => next.text().endsWith('Written.'))
  expect(await readFile(join(project, 'a.txt'), 'utf8')).toBe('late\n')
  never.open()
})

test('the options of a question are offered as buttons', async () => {
  const { editor, project, model } = await served([
    calls(call('ask_user_question', { questions: [{ question: 'Which one?', options: [{ label: 'Red' }, { label: 'Blue' }] }] })),
    say('Red then.'),
  ])
  await editor.initialize()
  const { sessionId } = await editor.agent.request('session/new', { cwd: project, mcpServers: [] })
  await editor.agent.request('session/prompt', { sessionId, prompt: prompt('Choose') })
  expect(editor.asked[0]?.options.map(({ name }) => name)).toEqual(['Red', 'Blue', 'Answer in the chat'])
  expect(Buffer.from((await model.request(1)).bytes).toString()).toContain('Red')
})
