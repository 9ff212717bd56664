import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  AgentError,
  type AgentOptions,
  createAgent,
  createLocalExecutionEnvironment,
  defineTool,
  type StampedEvent,
} from '../../main/agent-entry.ts'
import { bodyOf, folder, started, toolsIn, weather } from './started-agent.ts'
import { call, calls, httpError, say } from '../support/scripted-model.ts'

describe('a session', () => {
  test('submits, runs a custom tool, and reports all events in order from SESSION_START to SESSION_END (S-01, AC2.5, AC10.2, AC10.4)', async () => {
    const { agent } = await started([calls(call('weather', { city: 'Bern' })), say('It is sunny.')], { tools: [weather()] })
    const session = await agent.createSession()
    expect(session.state).toBe('IDLE')
    const events: StampedEvent[] = []
    const heard = (async () => {
      for await (const event of session.events()) events.push(event)
    })()
    expect(await session.submit('How is the weather?')).toEqual({ ended: 'completed', text: 'It is sunny.', error: null })
    await session.close()
    await heard
    expect(session.state).toBe('CLOSED')
    const kinds = events.map(({ kind }) => kind)
    expect([kinds[0], kinds.at(-1)]).toEqual(['SESSION_START', 'SESSION_END'])
    expect(kinds).toEqual(expect.arrayContaining(['ASSISTANT_TEXT_START', 'ASSISTANT_TEXT_DELTA', 'ASSISTANT_TEXT_END', 'USAGE']))
    expect(events.find(({ kind }) => kind === 'TOOL_CALL_START')).toMatchObject({ toolName: 'weather', args: { city: 'Bern' } })
    expect(events.find(({ kind }) => kind === 'TOOL_CALL_END')).toMatchObject({
      toolName: 'weather',
      output: 'Bern: sunny',
      isError: false,
      sessionId: session.id,
      seq: expect.any(Number) as number,
      at: expect.any(Number) as number,
    })
  })

  test('TOOL_CALL_END contains a long output completely, but the model gets only what fits (AC10.3, S-15)', async () => {
    const long = defineTool({
      name: 'long',
      description: 'Long.',
      parameters: { type: 'object' },
      needsApproval: false,
      execute: () => 'x'.repeat(300_000),
    })
    const { agent, model } = await started([calls(call('long', {})), say('Done.')], { tools: [long] })
    const session = await agent.createSession()
    await session.submit('go')
    await session.close()
    const outputs: string[] = []
    for await (const event of session.events()) if (event.kind === 'TOOL_CALL_END') outputs.push(event.output)
    expect(outputs.map(({ length }) => length)).toEqual([300_000])
    expect((await bodyOf(model, 1)).length).toBeLessThan(150_000)
  })

  test('accepts steering, follow-ups and configuration while it works', async () => {
    const reached = Promise.withResolvers<void>()
    const go = Promise.withResolvers<string>()
    const slow = defineTool({
      name: 'slow',
      description: 'Waits.',
      parameters: { type: 'object' },
      needsApproval: false,
      execute: () => (reached.resolve(), go.promise),
    })
    const { agent, model } = await started([calls(call('slow', {})), say('One.'), say('Two.')], { tools: [slow] })
    const session = await agent.createSession()
    const first = session.submit('first')
    await reached.promise
    expect(session.state).toBe('PROCESSING')
    session.steer('use metric units')
    const second = session.followUp('second')
    session.configure({ reasoningEffort: 'low', model: 'claude-sonnet-5' })
    go.resolve('waited')
    expect((await Promise.all([first, second])).map(({ text }) => text)).toEqual(['Two.', 'Two.'])
    expect(await bodyOf(model, 1)).toContain('use metric units')
    expect(await bodyOf(model, 2)).toContain('second')
    expect(session.config()).toMatchObject({ provider: 'anthropic', model: 'claude-sonnet-5', reasoningEffort: 'low' })
    expect(session.history().map(({ kind }) => kind)).toEqual([
      'user',
      'assistant',
      'tool_results',
      'steering',
      'assistant',
      'user',
      'assistant',
    ])
  })

  test('stop ends the turn, and abort ends the session, which can be reopened', async () => {
    const { agent } = await started([calls(call('shell', { command: 'sleep 60' })), say('Again.')], { policy: 'full' })
    const session = await agent.createSession()
    const running = session.submit('sleep')
    for await (const event of session.events()) if (event.kind === 'TOOL_EXECUTION_START') break
    await session.stop()
    expect(await running).toMatchObject({ ended: 'stopped' })
    expect(session.state).toBe('IDLE')
    await session.abort()
    expect(session.state).toBe('CLOSED')
    await expect(session.submit('more')).rejects.toThrow('The session is closed.')
    const again = await agent.openSession(session.id)
    expect(await again.submit('again')).toMatchObject({ ended: 'completed', text: 'Again.' })
    expect(agent.sessions().map(({ id }) => id)).toEqual([session.id])
  })

  test('a failure of the service is returned as data, and the session survives', async () => {
    const { agent } = await started([httpError(401, 'authentication_error', 'bad key'), say('Now.')])
    const session = await agent.createSession()
    const failed = await session.submit('hello')
    expect(failed).toMatchObject({ ended: 'error', error: { code: 'authentication', todo: expect.any(String) as string } })
    expect(failed.error).toBeInstanceOf(AgentError)
    expect(await session.submit('hello')).toMatchObject({ ended: 'completed', text: 'Now.', error: null })
  })

  test('limits of SessionConfig apply, and are reported by name (P2-08)', async () => {
    const { agent } = await started(() => calls(call('glob', { pattern: '*' })), { maxToolRoundsPerInput: 2 })
    const session = await agent.createSession()
    expect(await session.submit('loop')).toMatchObject({ ended: 'limit', error: { code: 'turn_limit' } })
    await session.close()
    const limits = []
    for await (const event of session.events()) if (event.kind === 'TURN_LIMIT') limits.push(event)
    expect(limits).toMatchObject([{ reason: 'max_tool_rounds', limit: 2 }])
  })
})

test('a message may contain pictures, which the model gets (L-10)', async () => {
  const { agent, model } = await started([say('A dot.')])
  const session = await agent.createSession()
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await session.submit({ text: 'What is it?', images: [Buffer.from(png, 'base64')] })
  expect(await bodyOf(model, 0)).toContain(png)
  await expect(session.submit({ text: 'And this?', images: [Buffer.from('no picture')] })).rejects.toBeInstanceOf(AgentError)
  expect(() => session.undoCompaction()).toThrow('There is no compaction to undo.')
})

test('budgets, the loop detection option and allowed variables reach the session (S-04, D-08, T-16)', async () => {
  process.env['EMBED_TEST_TOKEN'] = 'passed-on'
  const options = { allowVariables: ['EMBED_TEST_*'], enableLoopDetection: false, budget: { tokens: 50 }, policy: 'full' as const }
  const { agent, model } = await started(() => calls(call('shell', { command: 'echo "token: $EMBED_TEST_TOKEN"' })), options)
  const session = await agent.createSession()
  expect(await session.submit('go')).toMatchObject({ ended: 'limit', error: { code: 'session_budget' } })
  expect(JSON.stringify(session.history())).toContain('token: passed-on')
  await session.close()
  const kinds = []
  for await (const { kind } of session.events()) kinds.push(kind)
  expect([kinds.includes('BUDGET_LIMIT'), kinds.includes('LOOP_DETECTION')]).toEqual([true, false])
  expect(model.requests.length).toBeLessThan(20)
})

describe('approval', () => {
  const write = [calls(call('write_file', { file_path: 'a.txt', content: 'signed\n' })), say('Done.')]

  test('without a handler, `submit` reports a waiting request, and `answer` continues the turn (R-62)', async () => {
    const { agent, cwd } = await started(write)
    const session = await agent.createSession()
    expect(await session.submit('write')).toMatchObject({ ended: 'waiting', error: null })
    expect(session.state).toBe('AWAITING_INPUT')
    const [request] = session.requests()
    expect(request).toMatchObject({ toolName: 'write_file', sessionId: session.id, effects: [{ kind: 'write', shown: 'a.txt' }] })
    expect(await session.answer(request?.id ?? '', 'sign')).toMatchObject({ ended: 'completed', text: 'Done.' })
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('signed\n')
    await expect(session.answer(request?.id ?? '', 'sign')).rejects.toThrow('is waiting for an answer')
  })

  test('a request in a data folder outlives its process, and the next process can answer it', async () => {
    const dataFolder = await folder()
    const first = await started(write, { dataFolder })
    const session = await first.agent.createSession()
    await session.submit('write')
    await first.agent.close()
    const second = await started([say('Done later.')], { dataFolder, cwd: first.cwd })
    const [known] = second.agent.sessions()
    expect(known).toMatchObject({ id: session.id, state: 'AWAITING_INPUT' })
    // The first model is closed, so its address no longer works.
    const again = await second.agent.openSession(session.id)
    again.configure({ baseUrl: second.model.url })
    await expect.poll(() => again.requests().length).toBe(1)
    expect(await again.answer(again.requests()[0]?.id ?? '', 'sign')).toMatchObject({ ended: 'completed', text: 'Done later.' })
    expect(await readFile(join(first.cwd, 'a.txt'), 'utf8')).toBe('signed\n')
  })

  test('a handler can sign a request or refuse it with a note, and if the handler fails, the request is refused', async () => {
    const asked: string[] = []
    const { agent, model, cwd } = await started(
      [
        calls(
          call('write_file', { file_path: 'yes.txt', content: 'x' }),
          call('write_file', { file_path: 'no.txt', content: 'x' }),
          call('shell', { command: 'echo x > sh.txt' }),
        ),
        say('Done.'),
      ],
      {
        onApproval({ toolName, args }) {
          asked.push(toolName)
          if (args['file_path'] === 'yes.txt') return 'sign'
          if (args['file_path'] === 'no.txt') return { refuse: 'not that one' }
          throw new Error('handler broke')
        },
      },
    )
    const session = await agent.createSession()
    expect(await session.submit('write')).toMatchObject({ ended: 'completed' })
    expect(asked).toEqual(['write_file', 'write_file', 'shell'])
    const body = await bodyOf(model, 1)
    expect(body).toContain('The user denied this call; nothing was executed. The user says: not that one')
    expect(body).toContain('handler broke')
    expect(await readFile(join(cwd, 'yes.txt'), 'utf8')).toBe('x')
  })

  test('a custom tool needs approval even in full mode, unless it declares otherwise', async () => {
    const { agent } = await started([calls(call('weather', { city: 'Bern' })), say('Done.')], {
      policy: 'full' as const,
      tools: [weather('sunny', true)],
    })
    const session = await agent.createSession()
    await session.submit('go')
    expect(session.requests()).toMatchObject([{ toolName: 'weather', args: { city: 'Bern' } }])
  })
})

describe('tools at run time (S5, AC2.6)', () => {
  test('can be added, replaced and removed between two requests', async () => {
    const script = [say('One.'), calls(call('weather', { city: 'Bern' })), say('Two.'), say('Three.')]
    const { agent, model } = await started(script)
    const session = await agent.createSession()
    await session.submit('one')
    agent.tools.register(weather('rainy'))
    agent.tools.register(defineTool({ ...weather('own').definition, name: 'grep', execute: () => 'own grep' }))
    await session.submit('two')
    agent.tools.unregister('weather')
    agent.tools.unregister('shell')
    await session.submit('three')
    const [one, two, three] = await Promise.all([0, 1, 3].map((index) => toolsIn(model, index)))
    expect([one?.includes('weather'), one?.includes('shell')]).toEqual([false, true])
    expect(two?.filter((name) => ['weather', 'grep'].includes(name))).toEqual(['grep', 'weather'])
    expect(await bodyOf(model, 1)).toContain('The weather in a city.')
    expect(await bodyOf(model, 2)).toContain('Bern: rainy')
    expect([three?.includes('weather'), three?.includes('shell'), three?.includes('edit_file')]).toEqual([false, false, true])
    expect([agent.tools.get('shell'), agent.tools.get('read_file')?.definition.name]).toEqual([null, 'read_file'])
  })

  test('arguments that do not fit the schema never reach the executor (S-09)', async () => {
    const { agent, model } = await started([calls(call('weather', { city: 3, more: 1 })), say('Sorry.')], { tools: [weather()] })
    await (await agent.createSession()).submit('go')
    expect(await bodyOf(model, 1)).toContain('city must be a string')
  })
})

describe('the API key of the host', () => {
  const KEY = 'sk-ant-api03-CANARY-0123456789-abcdefghijkl'

  test('never reaches the model, the events or the disk through a tool, a command, a host’s environment or an imported result', async () => {
    const dataFolder = await folder()
    const leak = defineTool({
      name: 'leak',
      description: 'Leaks.',
      parameters: { type: 'object', properties: {} },
      needsApproval: false,
      execute: () => `The key is ${KEY}.`,
    })
    const cwd = await folder()
    const script = [
      calls(call('leak', {}), call('shell', { command: `echo ${KEY.slice(0, 20)}; cat key.txt` })),
      say('Done.'),
      say('Again.'),
    ]
    const environment = createLocalExecutionEnvironment(cwd)
    await writeFile(join(cwd, 'key.txt'), KEY)
    const { agent, model } = await started(script, { cwd, apiKey: KEY, tools: [leak], policy: 'full', dataFolder, environment })
    const session = await agent.createSession()
    expect(await session.submit('go')).toMatchObject({ ended: 'completed' })
    const imported = await agent.importSession([
      { kind: 'user', content: 'Look.' },
      { kind: 'assistant', content: [{ kind: 'tool_call', toolCallId: 'c1' as never, toolName: 'read_file', argsText: '{}' }] },
      { kind: 'tool_results', results: [{ toolCallId: 'c1', output: `KEY=${KEY}`, isError: false }] },
    ])
    await imported.submit('And now?')
    const requests = (await Promise.all([0, 1, 2].map((index) => bodyOf(model, index)))).join('\n')
    const histories = JSON.stringify([session.history(), imported.history()])
    await agent.close()
    const files = await readdir(dataFolder, { recursive: true, withFileTypes: true })
    const bytes = await Promise.all(files.flatMap((file) => (file.isFile() ? [readFile(join(file.parentPath, file.name), 'latin1')] : [])))
    const all = [requests, histories, ...bytes].join('\n')
    expect(all).toContain('The key is [')
    expect(all).toContain('KEY=[')
    expect(all).not.toContain(KEY)
  })
})

describe('bad options', () => {
  test.each([
    [{ provider: 'anthropic' }, 'got no folder'],
    [{ provider: 'nobody', cwd: '/' }, 'provider cannot be "nobody"'],
    [{ provider: 'anthropic', cwd: '/nowhere-at-all' }, '/nowhere-at-all'],
    [{ provider: 'anthropic', cwd: '/', polcy: 'full' }, 'polcy'],
    [{ provider: 'anthropic', cwd: '/', policy: 'yolo' }, 'policy'],
    [{ provider: 'anthropic', cwd: '/', reasoningEffort: 'huge' }, 'reasoningEffort'],
    [{ provider: 'anthropic', cwd: '/', maxTurns: -1 }, 'maxTurns'],
    [{ provider: 'anthropic', cwd: '/', apiKey: 'two words' }, 'no key'],
    [{ provider: 'openai-compatible', cwd: '/' }, 'no default model'],
    [{ provider: 'anthropic', cwd: '/', environment: { workingDirectory: () => '/' } }, 'The environment lacks readFile'],
    [{ provider: 'anthropic', cwd: '/', tools: [{ definition: { name: 'a b' } }] }, 'The tool "a b" cannot be used'],
  ])('refuses %j', async (options, words) => {
    const made = createAgent(options as unknown as AgentOptions)
    await expect(made).rejects.toThrow(words)
    await expect(made).rejects.toBeInstanceOf(AgentError)
  })
})
