import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { attentionOf, type McpServerState } from '../../shared/api/mcp.ts'
import { withLostTools } from '../../main/compose/mcp-servers.ts'
import type { SessionRecord } from '../../main/agent/record/session-record.ts'
import type { RunContext, Tool, ToolOutput } from '../../main/agent/ports/tool.ts'
import { createPolicy } from '../../main/approval/policy.ts'
import { readServers } from '../../main/mcp/server-entries.ts'
import type { ServerChoice } from '../../main/mcp/server-choices.ts'
import { promptCommands, promptText } from '../../main/slash-commands/server-prompts.ts'
import { freePort } from '../support/scripted-model.ts'
import { approve, EVERYTHING, FOLDER, node, startServers, stateOf, toolNamed, until } from './support/started-servers.ts'

const HOSTILE = 'test/fixtures/mcp/hostile-server.mjs'
const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

async function call(tool: Tool, args: object, signal: AbortSignal = new AbortController().signal): Promise<ToolOutput> {
  const prepared = await tool.prepare(args, {} as never)
  if (prepared.kind === 'rejected') return prepared.output
  return prepared.commit({ signal, progress: () => {}, ask: () => Promise.resolve(null) } as unknown as RunContext)
}

test('a server’s tools are offered only after approval, and a call reaches the server', async () => {
  const servers = startServers({ everything: node(EVERYTHING, 'stdio') })
  await until(servers, () => stateOf(servers, 'everything')?.toApprove)
  expect(servers.tools(FOLDER)).toEqual([])
  await approve(servers, 'everything')
  expect(servers.tools(FOLDER)).toBe(servers.tools(FOLDER))
  expect(await call(toolNamed(servers, 'mcp__everything__echo'), { message: 'hello' })).toMatchObject({
    output: 'Echo: hello',
    isError: false,
  })
  const picture = await call(toolNamed(servers, 'mcp__everything__get-tiny-image'), {})
  expect(picture.output).toContainEqual(expect.objectContaining({ kind: 'image', mediaType: 'image/png' }))
  expect(await call(toolNamed(servers, 'mcp__everything__get-sum'), { a: 'no number' })).toMatchObject({ isError: true })
  const structured = await call(toolNamed(servers, 'mcp__everything__get-structured-content'), { location: 'New York' })
  expect(structured.details).toMatchObject({ temperature: expect.any(Number) })
})

test('a stored secret is expanded when the server starts, is listed as “stored”, and is reported missing once it is removed', async () => {
  const servers = startServers({ bad: node(HOSTILE, 'good', '${input:key}', '${REGION:-eu}') })
  const variables = () => stateOf(servers, 'bad')?.variables.map(({ name, from }) => `${name} ${from}`)
  expect(variables()).toEqual(['input:key missing', 'REGION default'])
  await servers.setSecret(FOLDER, 'bad', 'input:key', 'hush-4711')
  await until(servers, () => stateOf(servers, 'bad')?.log.some((line) => line === 'started with hush-4711 eu'))
  await until(servers, () => stateOf(servers, 'bad')?.status === 'running')
  expect(variables()).toEqual(['input:key stored', 'REGION default'])
  await servers.setSecret(FOLDER, 'bad', 'input:key', null)
  await until(servers, () => variables()?.[0] === 'input:key missing')
  await expect(servers.setSecret(FOLDER, 'bad', 'OTHER', 'x')).rejects.toThrow('does not use OTHER')
})

test('a call reports only the control files that its server created during the call', async () => {
  const began = Date.now()
  let since = 0
  const servers = startServers({ everything: node(EVERYTHING, 'stdio') }, undefined, undefined, async (from) => {
    since = from
    return [{ path: 'AGENTS.md', keptAt: '/kept/AGENTS.md' }]
  })
  await approve(servers, 'everything')
  const { output } = await call(toolNamed(servers, 'mcp__everything__echo'), { message: 'hello' })
  expect(output).toMatch(/^Echo: hello\nMoved out of the folder.*: AGENTS\.md\./u)
  expect(since).toBeGreaterThanOrEqual(began)
  expect(stateOf(servers, 'everything')?.log.join()).toContain('/kept/AGENTS.md')
})

test('the log says which control files a server created during startup', async () => {
  const began = Date.now()
  const servers = startServers({ everything: node(EVERYTHING, 'stdio') }, undefined, undefined, async (since) =>
    since < began ? [] : [{ path: 'AGENTS.md', keptAt: '/kept/AGENTS.md' }],
  )
  await approve(servers, 'everything')
  await until(servers, () => stateOf(servers, 'everything')?.status === 'running')
  expect(stateOf(servers, 'everything')?.log.join()).toContain(
    'The server created the control file AGENTS.md, which was moved to /kept/AGENTS.md.',
  )
})

test('a tool that is switched off is not offered', async () => {
  const servers = startServers({ everything: node(EVERYTHING, 'stdio') })
  await approve(servers, 'everything')
  servers.switchTool(FOLDER, 'everything', 'echo', false)
  expect(() => toolNamed(servers, 'mcp__everything__echo')).toThrow('is not offered')
  servers.switchTool(FOLDER, 'everything', 'echo', true)
  expect(toolNamed(servers, 'mcp__everything__echo')).toBeDefined()
})

test('a server over HTTP is used like one over stdio', async () => {
  const port = await freePort()
  const child = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
    env: { ...process.env, PORT: `${port}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  opened.push(() => child.kill('SIGKILL'))
  for await (const bytes of child.stderr) if (String(bytes).includes('listening')) break
  const servers = startServers({ remote: { type: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} } })
  await approve(servers, 'remote')
  expect(await call(toolNamed(servers, 'mcp__remote__echo'), { message: 'over HTTP' })).toMatchObject({ output: 'Echo: over HTTP' })
})

test('a redirect to another host is not followed', async () => {
  let reached = 0
  const other = createHttpServer((_, response) => {
    reached++
    response.end()
  }).listen(0, '127.0.0.1')
  const first = createHttpServer((_, response) => {
    response.writeHead(307, { location: `http://localhost:${(other.address() as AddressInfo).port}/mcp` }).end()
  }).listen(0, '127.0.0.1')
  opened.push(
    () => void other.close(),
    () => void first.close(),
  )
  await Promise.all([once(other, 'listening'), once(first, 'listening')])
  const servers = startServers({
    remote: {
      type: 'http',
      url: `http://127.0.0.1:${(first.address() as AddressInfo).port}/mcp`,
      headers: { Authorization: 'Bearer secret' },
    },
  })
  await until(servers, () => stateOf(servers, 'remote')?.failure)
  expect(reached).toBe(0)
})

test('a malformed tool does not take the other tools of its server with it', async () => {
  const servers = startServers({ bad: node(HOSTILE, 'malformed') })
  await approve(servers, 'bad')
  expect(servers.tools(FOLDER).map(({ tool }) => tool.definition.name)).toEqual(
    ['before', 'loose_output', 'null_output', 'after'].map((name) => `mcp__bad__${name}`),
  )
  expect(await call(toolNamed(servers, 'mcp__bad__loose_output'), {})).toMatchObject({ output: 'fine', isError: false })
  const log = new Set(
    stateOf(servers, 'bad')?.log.filter((line) => line.includes('the server’s tool') || line.includes('The server’s tool')),
  )
  expect([...log]).toEqual([
    'The output schema of the server’s tool “loose_output” is not used, because it does not describe an object.',
    'The server’s tool “null_input” was left out, because its input schema does not describe an object. The other tools can be used.',
    'The server’s tool “loose_input” was left out, because its input schema does not describe an object. The other tools can be used.',
    'The server’s tool number 6 was left out, because it has no name. The other tools can be used.',
    'The server’s tool “odd_description” was left out, because its entry in the list does not follow the protocol. The other tools can be used.',
    'The server’s tool number 8 was left out, because it has no name. The other tools can be used.',
  ])
})

test('a server may write null for what it leaves out', async () => {
  const servers = startServers({ odd: node(HOSTILE, 'nulls') })
  await approve(servers, 'odd')
  expect(await call(toolNamed(servers, 'mcp__odd__look'), {})).toMatchObject({ output: 'seen\nseen', isError: false })
})

test('a list whose next page is always the same one is read once', async () => {
  const servers = startServers({ odd: node(HOSTILE, 'circles') })
  await approve(servers, 'odd')
  const names = servers.tools(FOLDER).map(({ tool }) => tool.definition.name)
  expect(names).toEqual([...new Set(names)])
  expect(await call(toolNamed(servers, 'mcp__odd__safe'), {})).toMatchObject({ output: 'fine', isError: false })
})

/** An MCP server over HTTP that knows only the connections since its newest start. `calls`: how many tool calls it carried out. */
async function forgetfulServer(refusal: { readonly status: number; readonly words: string }) {
  const server = { start: 1, calls: 0, tools: ['look'], url: '' }
  const http = createHttpServer((request, response) => {
    const answer = (status: number, body: object): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json', 'mcp-session-id': `start-${server.start}` })
        .end(JSON.stringify(body))
    void text(request).then((body) => {
      if (request.method !== 'POST') return void response.writeHead(405).end()
      const { id = null, method, params } = JSON.parse(body)
      const result = (value: object): void => answer(200, { jsonrpc: '2.0', id, result: value })
      const fail = (status: number, message: string): void => answer(status, { jsonrpc: '2.0', id, error: { code: -32_000, message } })
      if (method === 'initialize')
        return result({
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'forgetful', version: '1' },
        })
      if (method === 'server/discover') return fail(200, 'No such method')
      if (request.headers['mcp-session-id'] !== `start-${server.start}`) return fail(refusal.status, refusal.words)
      if (id === null) return void response.writeHead(202).end()
      if (method === 'tools/list') return result({ tools: server.tools.map((name) => ({ name, inputSchema: { type: 'object' } })) })
      server.calls++
      return result({ content: [{ type: 'text', text: `call ${server.calls}` }] })
    })
  }).listen(0, '127.0.0.1')
  opened.push(() => http.close())
  await once(http, 'listening')
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
  return server
}

test.each([
  { status: 404, words: 'Session not found' },
  { status: 400, words: 'Bad Request: No valid session ID provided' },
])('a call after the server restarted works, and is carried out once ($status)', async (refusal) => {
  const server = await forgetfulServer(refusal)
  const servers = startServers({ far: { type: 'http', url: server.url, headers: {} } })
  await approve(servers, 'far')
  const look = toolNamed(servers, 'mcp__far__look')
  expect(await call(look, {})).toMatchObject({ output: 'call 1' })
  server.start++
  expect(await call(look, {})).toMatchObject({ output: 'call 2', isError: false })
  server.start++
  server.tools.push('erase')
  expect(await call(look, {})).toMatchObject({ isError: true, output: expect.stringContaining('restarted with other tools') })
  expect(server.calls).toBe(2)
})

test('tools that change after approval are withdrawn until they are approved again (C14)', async () => {
  const servers = startServers({ bad: node(HOSTILE, 'changes') })
  await approve(servers, 'bad')
  const look = toolNamed(servers, 'mcp__bad__look')
  expect(await call(look, {})).toMatchObject({ output: 'seen' })
  await until(servers, () => stateOf(servers, 'bad')?.hasChanged)
  expect(servers.tools(FOLDER)).toEqual([])
  expect(await call(look, {})).toMatchObject({ isError: true, output: expect.stringContaining('have changed') })
})

test('one message tells the agent which of its tools are gone and why', async () => {
  const servers = startServers({ bad: node(HOSTILE, 'changes') })
  await approve(servers, 'bad')
  const news = withLostTools(() => Promise.resolve([]), servers, FOLDER)
  const record = { state: () => ({ cursor: 7 }) } as unknown as SessionRecord
  expect(await news(record)).toEqual([])
  await call(toolNamed(servers, 'mcp__bad__look'), {})
  await until(servers, () => stateOf(servers, 'bad')?.hasChanged)
  expect(attentionOf(stateOf(servers, 'bad') as McpServerState)).toBe('changed')
  expect(await news(record)).toMatchObject([
    { kind: 'STEERING_INJECTED', text: expect.stringMatching(/mcp__bad__look\. The server changed its tools/u), by: 'loop' },
  ])
  expect(await news(record)).toEqual([])
})

test('approval applies only to the tools that were shown', async () => {
  const servers = startServers({ bad: node(HOSTILE, 'changes') })
  await until(servers, () => stateOf(servers, 'bad')?.toApprove)
  expect(servers.approve(FOLDER, 'bad', 'another hash')).toBe(false)
  expect(servers.tools(FOLDER)).toEqual([])
})

test('approved tools are offered at the next launch even before the server answers', async () => {
  const choices = new Map<string, ServerChoice>()
  const first = startServers({ everything: node(EVERYTHING, 'stdio') }, choices)
  await approve(first, 'everything')
  const next = startServers({ everything: node(EVERYTHING, 'stdio') }, choices)
  expect(stateOf(next, 'everything')?.status).toBe('starting')
  expect(await call(toolNamed(next, 'mcp__everything__echo'), { message: 'early' })).toMatchObject({ output: 'Echo: early' })
})

test('servers that die, flood or stay silent leave the others working', async () => {
  const servers = startServers({
    dies: node(HOSTILE, 'dies'),
    floods: node(HOSTILE, 'floods'),
    mute: node(HOSTILE, 'mute'),
    noisy: node(HOSTILE, 'noisy'),
    missing: { ...node(), command: '/nowhere/at/all' },
    good: node(HOSTILE, 'good'),
  })
  await approve(servers, 'good')
  expect(await call(toolNamed(servers, 'mcp__good__safe'), {})).toMatchObject({ output: 'fine' })
  for (const name of ['dies', 'missing']) expect(await until(servers, () => stateOf(servers, name)?.failure)).not.toBe('')
  await until(servers, () => stateOf(servers, 'noisy')?.toApprove)
  const { log = [] } = stateOf(servers, 'noisy') ?? {}
  expect(log.length).toBeLessThanOrEqual(200)
  expect(Math.max(...log.map((line) => line.length))).toBeLessThanOrEqual(500)
  expect(stateOf(servers, 'mute')?.status).toBe('starting')
})

test('closing does not wait for a server that never answers the first request', async () => {
  const servers = startServers({ mute: node(HOSTILE, 'mute') })
  await until(servers, () => stateOf(servers, 'mute')?.log.length)
  const closing = performance.now()
  await servers.close()
  // The request times out after 10 s, but the program exits as soon as its input ends.
  expect(performance.now() - closing).toBeLessThan(8_000)
})

test('a call ends when the user stops it, when the server exits, and when its answer is too large', async () => {
  const servers = startServers({ bad: node(HOSTILE, 'good') })
  await approve(servers, 'bad')
  const stop = new AbortController()
  const silent = call(toolNamed(servers, 'mcp__bad__silent'), {}, stop.signal)
  stop.abort(new Error('stopped'))
  await expect(silent).rejects.toThrow('stopped')
  expect(await call(toolNamed(servers, 'mcp__bad__exits'), {})).toMatchObject({ isError: true })
  // This call starts the server again.
  expect(await call(toolNamed(servers, 'mcp__bad__safe'), {})).toMatchObject({ output: 'fine' })
  expect(await call(toolNamed(servers, 'mcp__bad__giant'), {})).toMatchObject({ isError: true })
  expect(await call(toolNamed(servers, 'mcp__bad__safe'), {})).toMatchObject({ output: 'fine' })
})

test('names that collide or are too long get a hash, and no name hides a built-in tool (C14)', async () => {
  const servers = startServers({ bad: node(HOSTILE, 'collides') })
  await approve(servers, 'bad')
  const names = servers.tools(FOLDER).map(({ tool }) => tool.definition.name)
  expect(new Set(names).size).toBe(5)
  for (const name of names) expect(name).toMatch(/^mcp__bad__[\w-]+$/u)
  expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(64)
  expect(names.filter((name) => name.startsWith('mcp__bad__a_b'))).toEqual([
    expect.stringMatching(/a_b_[\da-f]{8}$/u),
    expect.stringMatching(/a_b_[\da-f]{8}$/u),
  ])
})

test('a call needs approval in every mode except plan, which blocks it, whatever the server claims', async () => {
  const servers = startServers({ bad: node(HOSTILE, 'good') })
  await approve(servers, 'bad')
  const prepared = await toolNamed(servers, 'mcp__bad__safe').prepare({ a: 1 }, {} as never)
  if (prepared.kind === 'rejected') throw new Error('rejected')
  const policy = createPolicy({ root: FOLDER, home: null })
  for (const mode of ['ask', 'accept-edits', 'auto', 'full'] as const) expect(policy.judge(prepared.effects, mode).kind).toBe('ask')
  expect(policy.judge(prepared.effects, 'plan').kind).toBe('deny')
  expect(prepared.effects).toMatchObject([{ tool: { name: 'mcp__bad__safe', arguments: '{\n  "a": 1\n}' } }])
})

test('a broken entry is reported, and the others are used', () => {
  const { servers, problems } = readServers(
    JSON.stringify({ mcpServers: { good: { command: 'x' }, url: { url: 'https://h' }, old: { type: 'sse', url: 'https://h' }, none: 3 } }),
    '.mcp.json',
  )
  expect(servers.map(({ name }) => name)).toEqual(['good'])
  expect(problems).toEqual([
    expect.stringContaining('"type": "http"'),
    expect.stringContaining('sse is not supported'),
    expect.stringContaining('none cannot be used'),
  ])
})

test('a server’s prompts can be typed as commands with arguments', async () => {
  const servers = startServers({ everything: node(EVERYTHING, 'stdio'), 'my tickets': node(HOSTILE, 'good') })
  await until(servers, () => stateOf(servers, 'everything')?.status === 'running' && stateOf(servers, 'my tickets')?.status === 'running')
  const commands = promptCommands(servers.prompts(FOLDER))
  expect(commands.map(({ name, hint }) => `${name} ${hint}`.trim())).toEqual(
    expect.arrayContaining([
      'mcp__everything__simple-prompt',
      'mcp__everything__args-prompt <city> [state]',
      'mcp__my_tickets__triage <ticket> [how]',
      'mcp__my_tickets__triage_it',
    ]),
  )
  const text = (name: string, args: string): Promise<string> => {
    const prompt = commands.find((one) => one.name === name)?.prompt
    if (!prompt) throw new Error(`There is no ${name}.`)
    return promptText(FOLDER, prompt, args, servers)
  }
  expect(await text('mcp__everything__args-prompt', 'Berlin')).toContain('Berlin')
  expect(await text('mcp__my_tickets__triage', '7 with great care')).toBe(
    'Triage ticket 7 with great care\n\n(As if you had said:) I begin with its age.',
  )
  expect(await text('mcp__my_tickets__triage', '"7 and 8"')).toContain('Triage ticket 7 and 8 quickly')
  expect(await text('mcp__my_tickets__triage', '')).toBe('[The prompt triage of the MCP server my tickets has no text: it needs ticket.]')
  expect(await text('mcp__my_tickets__triage_it', '')).toContain('There is no such thing')
})

test('a server’s resources can be listed and read, and a failed read gives the reason', async () => {
  const servers = startServers({ everything: node(EVERYTHING, 'stdio'), tickets: node(HOSTILE, 'good'), plain: node(HOSTILE, 'collides') })
  await until(servers, () => ['everything', 'tickets', 'plain'].every((name) => stateOf(servers, name)?.status === 'running'))
  const resources = servers.resources(FOLDER)
  expect(resources).toContainEqual({ server: 'tickets', uri: 'tickets://open', name: 'Open tickets', description: 'All that are open' })
  expect(resources.filter(({ server }) => server === 'plain')).toEqual([])
  expect(await servers.resource(FOLDER, 'tickets', 'tickets://open')).toBe('Ticket 7: the parser is slow')
  const demo = resources.find(({ server }) => server === 'everything')
  expect(await servers.resource(FOLDER, 'everything', demo?.uri ?? '')).not.toBe('')
  await expect(servers.resource(FOLDER, 'tickets', 'tickets://none')).rejects.toThrow('There is no such thing')
  await expect(servers.resource(FOLDER, 'gone', 'x')).rejects.toThrow('There is no MCP server gone.')
})
