import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../headless/support/agent-process.ts'
import { call, calls, say } from '../../support/scripted-model.ts'
import { served } from './support/served.ts'

const SERVER = join(ROOT, 'test/fixtures/mcp/hostile-server.mjs')

test("the model gets the tools of the editor's MCP server, their calls ask for permission, and nothing about the server is stored", async () => {
  const { editor, project, data, model } = await served([calls(call('mcp__theirs__safe', {})), say('Done.')])
  await cp(SERVER, join(project, 'server.mjs'))
  await editor.initialize()
  const { sessionId } = await editor.agent.request('session/new', {
    cwd: project,
    mcpServers: [{ name: 'theirs', command: process.execPath, args: ['server.mjs', 'good'], env: [{ name: 'GIVEN', value: 'yes' }] }],
  })
  await editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Call it' }] })
  expect(editor.asked).toHaveLength(1)
  expect(Buffer.from((await model.request(1)).bytes).toString()).toContain('fine')
  await expect(readFile(join(data, 'mcp-choices.json'))).rejects.toThrow('ENOENT')
})

test('a prompt that is cancelled before its turn has begun never reaches the model', async () => {
  const { editor, project, model } = await served([say('Too late.')])
  await editor.initialize()
  const { sessionId } = await editor.agent.request('session/new', {
    cwd: project,
    mcpServers: [{ name: 'silent', command: process.execPath, args: ['-e', 'process.stdin.resume()'], env: [] }],
  })
  const answer = editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Write' }] })
  await editor.agent.notify('session/cancel', { sessionId })
  expect(await answer).toEqual({ stopReason: 'cancelled' })
  const closed = editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Write' }] })
  await editor.agent.request('session/close', { sessionId })
  expect(await closed).toEqual({ stopReason: 'cancelled' })
  expect(model.requests).toEqual([])
})
