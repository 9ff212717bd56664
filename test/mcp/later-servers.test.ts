import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { RunContext } from '../../main/agent/ports/tool.ts'
import type { RequestWithRetries } from '../../main/agent/ports/model.ts'
import { withServersAfter } from '../../main/compose/mcp-servers.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import type { Connect, McpConnection } from '../../main/mcp/connection.ts'
import { hashOfEntry, type ServerChoice } from '../../main/mcp/server-choices.ts'
import type { ServerEntry } from '../../main/mcp/server-entries.ts'
import type { ServersParts } from '../../main/mcp/servers.ts'
import { mcpChoices } from '../../main/settings/mcp-files.ts'
import { disposable } from '../../shared/lib/disposable.ts'
import { openDesk, staying } from '../api/support/served-desk.ts'
import { say } from '../support/scripted-model.ts'
import { approve, FOLDER, inMemory, node, startServers, stateOf, toolNamed, until } from './support/started-servers.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Records which servers are started. None of them ever answers. */
function silentServers() {
  const begun: string[] = []
  const target: ServersParts['target'] = ({ entry: wanted }) => {
    begun.push(wanted.type === 'stdio' ? (wanted.args[0] ?? '') : '')
    const entry = { type: 'http', url: 'http://127.0.0.1:9/mcp', headers: {} } as const
    return Promise.resolve({ kind: 'address', folder: null, entry, credentials: inMemory() })
  }
  const connect: Connect = (_target, _events, signal) =>
    new Promise((_, reject) => {
      const close = (): void => reject(new Error('It was closed.'))
      if (signal.aborted) close()
      else signal.addEventListener('abort', close)
    })
  return { begun, silent: { connect, target } }
}

/** Opens servers that are not needed at once. `begun`: the names of those that were started. */
function openedForLater(...names: readonly string[]) {
  const { begun, silent } = silentServers()
  const entries = Object.fromEntries(names.map((name) => [name, node(name)]))
  const servers = startServers(entries, undefined, inMemory(), undefined, { ...silent, options: { isLater: true } })
  return { servers, begun }
}

/** Stands in for another process. `look` returns each change of that process once. */
function otherProcess() {
  let seen: ReturnType<ServersParts['look']> = null
  return {
    changed: (now: NonNullable<typeof seen>) => void (seen = now),
    look(): typeof seen {
      const now = seen
      seen = null
      return now
    },
  }
}

describe('servers that start lazily', () => {
  test('start when asked to, and only once', async () => {
    const { servers, begun } = openedForLater('a', 'b')
    expect(begun).toEqual([])
    expect(stateOf(servers, 'a')).toMatchObject({ status: 'starting', isConfined: null })
    servers.start(FOLDER)
    servers.start(FOLDER)
    await expect.poll(() => begun).toEqual(['a', 'b'])
  })

  test('start after 5 seconds without a request, or 15 seconds after a request that gets no answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { servers, begun } = openedForLater('a')
    await vi.advanceTimersByTimeAsync(4_900)
    expect(begun).toEqual([])
    servers.postpone(FOLDER)
    await vi.advanceTimersByTimeAsync(14_900)
    expect(begun).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    expect(begun).toEqual(['a'])
    servers.postpone(FOLDER)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(begun).toEqual(['a'])
  })

  test('if one of them is needed immediately, only that one starts', async () => {
    const { servers, begun } = openedForLater('a', 'b')
    void servers.settled(FOLDER, (name) => name === 'b', staying()).catch(() => {})
    await expect.poll(() => begun).toEqual(['b'])
  })

  test('start when the answer to the session’s first request begins, and are not affected by later requests', async () => {
    const said: string[] = []
    const servers = { postpone: () => void said.push('postpone'), start: () => void said.push('start') }
    const request: RequestWithRetries = async function* () {
      said.push('sent')
      await Promise.resolve()
      yield { kind: 'start' }
      said.push('answered')
      yield { kind: 'text', text: 'Hello.' }
    }
    const asked = withServersAfter(request, servers, FOLDER)
    for (let round = 0; round < 2; round++) for await (const { kind } of asked({} as never, {} as never, {} as never)) said.push(kind)
    const answer = ['start', 'answered', 'text']
    expect(said).toEqual(['postpone', 'sent', 'start', ...answer, 'sent', ...answer])
  })

  test('are started by a session’s request, and an input value that is not stored is read from the environment', async () => {
    vi.stubEnv('CS_REGION', 'region-7')
    const desk = await openDesk([say('Hello.')])
    const lost = { command: 'no-such-program-of-countersign', args: ['${input:CS_REGION}'] }
    writeFileSync(join(desk.data, 'mcp.json'), JSON.stringify({ mcpServers: { lost } }))
    const sessionId = await desk.session()
    await desk.client.sessions.send({ sessionId, inputId: 'i', text: 'Hello', delivery: 'queue' })
    for await (const { servers } of desk.client.mcp.watch({}, staying()))
      if (servers[0]?.status === 'failed') {
        expect(servers[0].failure).toContain('The program no-such-program-of-countersign was not found (ENOENT).')
        return
      }
  })
})

describe('a change by another process', () => {
  const kept = () => {
    const data = temporaryFolder('mcp-choices')
    return data
  }
  const choice = (isFree: boolean, entry = hashOfEntry(node('a'))) => ({ entry, tools: null, off: [], isFree })

  test('to the decisions is seen at the next read, and the next decision of this process does not overwrite it', () => {
    const data = kept()
    const here = mcpChoices(data)
    const there = mcpChoices(data)
    expect(here.look()).toBeNull()
    there.choose('a', choice(true))
    expect(here.choice('a')).toBeNull()
    expect(here.look()).toEqual({ before: new Map(), hasOtherServers: false })
    expect([here.choice('a')?.isFree, here.look()]).toEqual([true, null])
    here.choose('b', choice(false))
    expect(here.look()).toBeNull()
    there.look()
    expect(there.choice('b')?.isFree).toBe(false)
    expect(there.choice('a')?.isFree).toBe(true)
  })

  test('to the list of servers is seen, unless the file is invalid while it is being edited', () => {
    const data = kept()
    const here = mcpChoices(data)
    const write = (text: string): void => writeFileSync(join(data, 'mcp.json'), text)
    write('{"mcpServers":{}}')
    expect(here.look()?.hasOtherServers).toBe(true)
    write('{"mcpServers":')
    expect(here.look()?.hasOtherServers).toBe(false)
    write('{"mcpServers":{} }')
    expect(here.look()?.hasOtherServers).toBe(true)
  })

  test('restarts a server whose rights changed, and adds new servers', async () => {
    const { begun, silent } = silentServers()
    const entries = { a: node('a') }
    const choices = new Map<string, ReturnType<typeof choice>>()
    const { changed, look } = otherProcess()
    const servers = startServers(entries, choices, inMemory(), undefined, { ...silent, look })
    await expect.poll(() => begun).toEqual(['a'])
    changed({ before: new Map(), hasOtherServers: false })
    choices.set(JSON.stringify([FOLDER, 'a']), choice(true))
    servers.tools(FOLDER)
    await expect.poll(() => begun).toEqual(['a', 'a'])
    changed({ before: new Map(choices), hasOtherServers: true })
    Object.assign(entries, { b: node('b') })
    servers.tools(FOLDER)
    await expect.poll(() => begun).toEqual(['a', 'a', 'b'])
  })

  test('to the approved tools takes effect in this process', async () => {
    const connection = {
      listTools: () => Promise.resolve([{ name: 'look', description: '', schema: {} }]),
      listPrompts: () => Promise.resolve([]),
      listResources: () => Promise.resolve([]),
      close: () => Promise.resolve(),
    } as unknown as McpConnection
    const connect: Connect = () => Promise.resolve(connection)
    const entries = { a: node('a') }
    const choices = new Map<string, ServerChoice>()
    let seen: ReturnType<ServersParts['look']> = null
    const here = startServers(entries, choices, inMemory(), undefined, { connect, look: () => seen })
    const offered = () => here.tools(FOLDER).map(({ tool }) => tool.definition.name)
    await until(here, () => stateOf(here, 'a')?.toApprove)
    expect(offered()).toEqual([])
    await approve(startServers(entries, choices, inMemory(), undefined, { connect }), 'a')
    expect(offered()).toEqual([])
    seen = { before: new Map(choices), hasOtherServers: false }
    expect(offered()).toEqual(['mcp__a__look'])
  })
})

test.each([
  ['runs unconfined', 'its entry is the same', hashOfEntry(node('a')), true],
  ['is confined again', 'its entry has changed since', 'earlier', false],
])('a server with full rights %s if %s', async (_, __, entry, isFree) => {
  const wanted: boolean[] = []
  const target: ServersParts['target'] = (server) => {
    wanted.push(server.isFree)
    return Promise.reject(new Error('Not started.'))
  }
  const choices = new Map([[JSON.stringify([FOLDER, 'a']), { entry, tools: null, off: [], isFree: true }]])
  const servers = startServers({ a: node('a') }, choices, inMemory(), undefined, { target })
  await expect.poll(() => wanted).toEqual([isFree])
  expect(stateOf(servers, 'a')?.isFree).toBe(isFree)
})

test('a decision is merged with another process’s earlier decisions', () => {
  const { silent } = silentServers()
  const key = JSON.stringify([FOLDER, 'a'])
  const here = new Map<string, ServerChoice>()
  const stored = { entry: hashOfEntry(node('a')), tools: null, off: ['other'], isFree: false }
  const look = () => {
    const before = new Map(here)
    if (!here.has(key)) here.set(key, stored)
    return { before, hasOtherServers: false }
  }
  const servers = startServers({ a: node('a') }, here, inMemory(), undefined, { ...silent, look })
  servers.switchTool(FOLDER, 'a', 'mine', false)
  expect(here.get(key)?.off).toEqual(['other', 'mine'])
})

test('a decision about a server that another process has replaced starts only the new server', async () => {
  const { begun, silent } = silentServers()
  const entries = { a: node('old') }
  const { changed, look } = otherProcess()
  const servers = startServers(entries, undefined, inMemory(), undefined, { ...silent, look })
  await expect.poll(() => begun).toEqual(['old'])
  entries.a = node('new')
  changed({ before: new Map(), hasOtherServers: true })
  await servers.setFree(FOLDER, 'a', { isFree: true, scripts: null })
  await expect.poll(() => begun).toContain('new')
  expect(begun.filter((name) => name === 'old')).toEqual(['old'])
  expect(stateOf(servers, 'a')?.isFree).toBe(true)
})

test('a call that was prepared before its server was removed does not start the server', async () => {
  const { begun, silent } = silentServers()
  const entries: Record<string, ServerEntry> = { a: node('a') }
  const tools = [{ name: 'look', description: '', schema: {} }]
  const choices = new Map([[JSON.stringify([FOLDER, 'a']), { entry: hashOfEntry(node('a')), tools, off: [], isFree: false }]])
  const servers = startServers(entries, choices, inMemory(), undefined, silent)
  await expect.poll(() => begun).toEqual(['a'])
  const prepared = await toolNamed(servers, 'mcp__a__look').prepare({}, {} as never)
  delete entries['a']
  servers.reread()
  if (prepared.kind !== 'ready') throw new Error(prepared.kind)
  const run = { signal: new AbortController().signal, progress: () => {}, ask: () => Promise.resolve(null) } as unknown as RunContext
  expect(await prepared.commit(run)).toMatchObject({ isError: true, output: expect.stringContaining('was removed or replaced') })
  expect(begun).toEqual(['a'])
})

test('a server that ends is only marked as failed, even if what it leaves cannot be removed', async () => {
  const closed = Promise.withResolvers<void>()
  const environment = createLocalExecutionEnvironment(FOLDER)
  const launch = {
    open: () => environment.open([process.execPath, '-e', '']),
    isConfined: true,
    setAside: () => Promise.resolve([]),
    suspect: () => disposable(() => {}),
    close: () => closed.promise,
  }
  const target: ServersParts['target'] = () => Promise.resolve({ kind: 'program', folder: FOLDER, launch })
  const servers = startServers({ a: node('a') }, undefined, inMemory(), undefined, { target })
  await until(servers, () => stateOf(servers, 'a')?.status === 'failed')
  closed.reject(new Error('It is not empty.'))
  await expect(servers.close()).resolves.toBeUndefined()
})

test('the message about an unreachable server contains the reason only once', async () => {
  const servers = startServers({ far: { type: 'http', url: 'http://127.0.0.1:9/mcp', headers: {} } })
  await until(servers, () => stateOf(servers, 'far')?.status === 'failed')
  expect(stateOf(servers, 'far')?.failure).toBe('fetch failed.')
})
