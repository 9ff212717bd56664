import { cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { acpExchange, acpExchangeArguments } from './program/acp-exchange.ts'
import { sessionRun, sessionRunArguments } from './program/session-run.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { ROOT } from '../headless/support/agent-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const never = new AbortController().signal

describe.skipIf(hasNoCopies)('session_run with a third-party agent', () => {
  test('has a change set per call, leaves the folder alone until its work is brought in, and reaches the scripted model', async () => {
    const project = temporaryFolder('project')
    const program = temporaryFolder('fake-agent')
    await cp(join(ROOT, 'test/fixtures/foreign-agents/fake-agent.mjs'), join(program, 'agent.mjs'))
    await mkdir(join(program, 'sessions'))
    const args = sessionRunArguments.parse({
      agent: {
        command: process.execPath,
        args: [join(program, 'agent.mjs'), join(program, 'sessions')],
        folders: [program],
        choose: { 'their-model': 'large' },
      },
      script: ['Hello'],
      task: JSON.stringify([{ write: ['a.txt', 'one'] }, { run: 'echo two > b.txt' }, { model: true }]),
      bringIn: true,
      answers: ['sign'],
    })
    const { ended, text, events } = await sessionRun(project, args, never)
    expect([ended, text]).toEqual(['completed', '[model large]'])
    const changed = events.flatMap((event) => (event.kind === 'FILES_CHANGED' ? [event.files.map(({ shown }) => shown)] : []))
    expect(changed).toEqual([['a.txt'], ['b.txt'], ['a.txt', 'b.txt']])
    expect(await readFile(join(project, 'b.txt'), 'utf8')).toBe('two\n')
  })
})

test('acp_exchange plays an editor: its permission signs an edit, and the answers and messages are returned in order', async () => {
  const project = temporaryFolder('project')
  const args = acpExchangeArguments.parse({
    messages: [
      { method: 'initialize', params: { protocolVersion: 1 } },
      { method: 'session/new', params: { cwd: '$cwd', mcpServers: [] } },
      { method: 'session/prompt', params: { sessionId: '$session', prompt: [{ type: 'text', text: 'Write it' }] } },
      { method: 'no/such/method' },
    ],
    script: [{ calls: [{ name: 'write_file', args: { file_path: 'a.txt', content: 'one\n' } }] }, 'Done.'],
    permissions: ['allow_once'],
  })
  const { answers, received, requests } = await acpExchange(project, args, never)
  expect(answers.map(({ method }) => method)).toEqual(['initialize', 'session/new', 'session/prompt', 'no/such/method'])
  expect(answers[2]).toMatchObject({ result: { stopReason: 'end_turn' } })
  expect(answers[3]).toMatchObject({ error: { code: -32601 } })
  expect(received.map(({ method }) => method)).toContain('session/request_permission')
  expect(requests).toBe(2)
  expect(await readFile(join(project, 'a.txt'), 'utf8')).toBe('one\n')
})
