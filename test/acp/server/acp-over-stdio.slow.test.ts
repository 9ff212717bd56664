import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { client, ndJsonStream, PROTOCOL_VERSION, type Stream } from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { runAgent } from '../../headless/support/agent-process.ts'
import { place } from '../../headless/support/model-place.ts'
import { call, calls, say } from '../../support/scripted-model.ts'
import { openEditor } from './support/editor.ts'
import { startStdioAgent, type StdioAgent } from './support/stdio.ts'

/** The two streams of an agent's process, as the protocol's SDK takes them. */
function streamOf({ child }: StdioAgent): Stream {
  // The client may stop reading before the process ends.
  const output = Readable.toWeb(child.stdout.pipe(new PassThrough())) as ReadableStream<Uint8Array>
  return ndJsonStream(Writable.toWeb(child.stdin), output)
}

test('an editor runs a turn over standard input and output; only messages are printed, and the process ends with its input', async () => {
  const at = await place([calls(call('write_file', { file_path: 'a.txt', content: 'hello\n' })), say('Written.')])
  const agent = startStdioAgent(at)
  const editor = openEditor(streamOf(agent))
  await editor.initialize()
  const { sessionId } = await editor.agent.request('session/new', { cwd: at.cwd, mcpServers: [] })
  const answer = await editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Write' }] })
  expect(answer).toEqual({ stopReason: 'end_turn' })
  expect(await readFile(join(at.cwd, 'a.txt'), 'utf8')).toBe('hello\n')
  await agent.expectEnd()
})

test('the client of the protocol’s SDK runs a session with its own session object, as its example client does', async () => {
  const at = await place([calls(call('write_file', { file_path: 'a.txt', content: 'hello\n' })), say('Written.')])
  const agent = startStdioAgent(at)
  const kinds = new Set<string>()
  const written: string[] = []
  const end = await client({ name: 'example-client' })
    .onRequest('session/request_permission', ({ params: { options } }) => ({
      outcome: { outcome: 'selected', optionId: options.find(({ kind }) => kind === 'allow_once')?.optionId ?? '' },
    }))
    .onRequest('fs/write_text_file', ({ params }) => {
      written.push(params.path)
      return {}
    })
    .connectWith(streamOf(agent), async (remote) => {
      const fs = { readTextFile: true, writeTextFile: true }
      await remote.request('initialize', { protocolVersion: PROTOCOL_VERSION, clientCapabilities: { fs } })
      return remote.buildSession(at.cwd).withSession(async (session) => {
        const turn = session.prompt('Hello, agent!')
        for (;;) {
          const message = await session.nextUpdate()
          if (message.kind === 'stop') return [message.response, await turn]
          kinds.add(message.notification.update.sessionUpdate)
        }
      })
    })
  expect(end).toEqual([{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }])
  expect([...kinds]).toEqual(expect.arrayContaining(['tool_call', 'tool_call_update', 'agent_message_chunk']))
  expect(await readFile(join(at.cwd, 'a.txt'), 'utf8')).toBe('hello\n')
  // The editor's own files would bypass the signature.
  expect(written).toEqual([])
  await agent.expectEnd()
})

test('--acp takes no task', async () => {
  const at = await place([])
  const outcome = await runAgent(['--acp', 'task'], at)
  expect({ code: outcome.code, stderr: outcome.stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--acp takes no task') as string,
  })
})
