import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunContext, ToolOutput } from '../../main/agent/ports/tool.ts'
import type { McpServers } from '../../main/mcp/servers.ts'
import { approve, EVERYTHING, FOLDER, node, startServers, stateOf, toolNamed, until } from './support/started-servers.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const reference = (name: string): string => `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`

interface Called extends ToolOutput {
  readonly progress: readonly string[]
}

async function call(servers: McpServers, name: string, args: object = {}, answer: unknown = null): Promise<Called> {
  const prepared = await toolNamed(servers, name).prepare(args, {} as never)
  if (prepared.kind === 'rejected') throw new Error('It was rejected.')
  const progress: string[] = []
  const context = {
    signal: new AbortController().signal,
    progress: (words: string) => void progress.push(words),
    ask: () => Promise.resolve(answer),
  }
  return { ...(await prepared.commit(context as unknown as RunContext)), progress }
}

test('the reference servers for files and memory work, and the file server has the project folder as its root', async () => {
  const data = temporaryFolder('reference')
  const outside = join(data, 'outside.txt')
  writeFileSync(outside, 'secret')
  const servers = startServers({
    files: node(reference('filesystem'), data),
    memory: { ...node(reference('memory')), env: { MEMORY_FILE_PATH: join(data, 'memory.json') } },
  })
  await Promise.all([approve(servers, 'files'), approve(servers, 'memory')])
  await until(servers, () => stateOf(servers, 'files')?.status === 'running')
  const read = (path: string) => call(servers, 'mcp__files__read_text_file', { path })
  await expect.poll(async () => (await read(outside)).isError).toBe(true)
  expect((await read(join(FOLDER, 'started-servers.ts'))).output).toContain('export function startServers')
  const entity = { name: 'Countersign', entityType: 'program', observations: ['signs changes'] }
  await call(servers, 'mcp__memory__create_entities', { entities: [entity] })
  expect((await call(servers, 'mcp__memory__search_nodes', { query: 'signs' })).output).toContain('Countersign')
})

test('all features of the reference server work: progress, links, embedded resources, annotations, pictures, roots', async () => {
  const servers = startServers({ everything: node(EVERYTHING, 'stdio') })
  // The server offers more tools once it knows our capabilities.
  await until(servers, () => stateOf(servers, 'everything')?.tools.some(({ name }) => name === 'get-roots-list'))
  await approve(servers, 'everything')
  const run = (tool: string, args: object = {}) => call(servers, `mcp__everything__${tool}`, args)
  const long = await run('trigger-long-running-operation', { duration: 0.3, steps: 3 })
  // The last progress report may be lost, because the result arrives together with it.
  expect(long).toMatchObject({ progress: expect.arrayContaining(['1 of 3']), output: expect.stringContaining('completed') })
  expect((await run('get-resource-links', { count: 2 })).output).toMatch(/\[resource: demo:\/\/.*\n?.*\[resource: demo:\/\//su)
  expect((await run('get-resource-reference', { resourceType: 'Text', resourceId: 1 })).output).toContain('Resource 1')
  expect((await run('get-resource-reference', { resourceType: 'Blob', resourceId: 1 })).output).toContain('[resource: demo://')
  const annotated = await run('get-annotated-message', { messageType: 'error', includeImage: true })
  expect(annotated.output).toEqual([
    expect.objectContaining({ kind: 'text', text: expect.stringContaining('Error') }),
    expect.objectContaining({ kind: 'image' }),
  ])
  expect((await run('get-roots-list')).output).toContain(FOLDER)
  await run('toggle-simulated-logging')
  const logged = /^(?:debug|info|notice|warning|error|critical|alert|emergency): /u
  await expect.poll(() => stateOf(servers, 'everything')?.log.some((line) => logged.test(line))).toBe(true)
})

test('resources that a server adds while it runs are listed, and its prompts can embed them', async () => {
  const servers = startServers({ everything: node(EVERYTHING, 'stdio') })
  await until(servers, () => stateOf(servers, 'everything')?.tools.some(({ name }) => name === 'get-roots-list'))
  await approve(servers, 'everything')
  const made = await call(servers, 'mcp__everything__gzip-file-as-resource', { name: 'made.gz', data: 'data:text/plain,hello' })
  expect(made.output).toContain('made.gz')
  await until(servers, () => servers.resources(FOLDER).some(({ uri }) => uri.endsWith('made.gz')))
  const prompt = servers.prompts(FOLDER).find((one) => one.prompt.name === 'resource-prompt')
  if (!prompt) throw new Error('There is no prompt.')
  expect(await servers.prompt(FOLDER, prompt, { resourceType: 'Text', resourceId: '1' })).toContain('Resource 1')
})

test('a server of the newer protocol revision is used without a handshake, and its questions reach the user', async () => {
  const servers = startServers({ modern: node('test/fixtures/mcp/hostile-server.mjs', 'modern') })
  await approve(servers, 'modern')
  expect((await call(servers, 'mcp__modern__safe')).output).toBe('2026-07-28')
  const answer = { kind: 'signed', reply: { kind: 'answers', answers: [{ chosen: [], text: 'Ada' }] } }
  expect((await call(servers, 'mcp__modern__asks', {}, answer)).output).toBe('state-1: Ada')
  expect((await call(servers, 'mcp__modern__asks', {}, { kind: 'refused', note: null })).output).toBe('state-1: decline')
})

test('a server that exits when asked for its protocol revision is restarted with the old handshake', async () => {
  const servers = startServers({ old: node('test/fixtures/mcp/hostile-server.mjs', 'old') })
  await approve(servers, 'old')
  expect((await call(servers, 'mcp__old__safe')).output).toBe('fine')
})
