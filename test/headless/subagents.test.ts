import { wordList } from '../../shared/lib/word-list.ts'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '../../shared/session/events.ts'
import { call, calls, type Script, say } from '../support/scripted-model.ts'
import { type AgentOutcome, runAgent } from './support/agent-process.ts'
import { runOnTerminal } from './support/agent-terminal.ts'
import { place } from './support/model-place.ts'
import { kept, storedEvents } from './support/stored-events.ts'

/** The parent delegates a task. The child writes a file, and then reports the result. */
const DELEGATES: Script = ({ body }) => {
  const isChild = JSON.stringify(body.messages[0]).includes('CHILD')
  if (body.messages.length > 1) return say(isChild ? 'Written.' : 'Thanks.')
  if (isChild) return calls(call('write_file', { file_path: 'new.txt', content: 'new\n' }))
  return calls(call('task', { agent_type: 'code', prompt: 'CHILD: write it', description: 'Write it' }))
}
/** With a sandbox, a child would write in its own copy, and its changes would need a signature when the child ends. */
const REAL = ['--sandbox', 'off']
const ofChildren = ({ events }: AgentOutcome): readonly SessionEvent[] =>
  events.flatMap((event) => (event.kind === 'SUBAGENT_EVENT' ? [event.event] : []))

describe('without a terminal', () => {
  test('a subagent is refused immediately like its parent, and JSON lines contain all its events', async () => {
    const at = await place(DELEGATES)
    const outcome = await runAgent([...REAL, 'Do it'], at)
    expect({ code: outcome.code, stderr: outcome.stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^1 request was refused, because nobody could sign\..*\n$/) as string,
    })
    const told = ofChildren(outcome)
    expect(told.map(({ kind }) => kind)).toEqual(
      wordList(`
  SESSION_START USER_INPUT REQUEST_CONTEXT ASSISTANT_TURN USAGE TOOL_CALL_START APPROVAL_REQUESTED APPROVAL_ANSWERED TOOL_CALL_END
  ASSISTANT_TURN USAGE PROCESSING_END
`),
    )
    const answers = kept(await storedEvents(at.data), 'APPROVAL_ANSWERED').map(({ answer }) => answer)
    expect(answers).toEqual([{ kind: 'refused', note: expect.stringMatching(/^Nobody can sign this call: /), by: 'flag' }])
    expect(JSON.stringify(at.model.requests[2]?.body.messages)).toContain('Nobody can sign this call')
    await expect(access(join(at.cwd, 'new.txt'))).rejects.toThrow('ENOENT')
  })

  test('with --approve all, a subagent can write files, and the JSON lines of its events contain the paths of the files that store its blobs', async () => {
    const at = await place(DELEGATES)
    const outcome = await runAgent([...REAL, '--approve', 'all', 'Do it'], at)
    expect(outcome.code).toBe(0)
    const line = outcome.stdout.split('\n').find((one) => one.includes('"kind":"FILES_CHANGED"')) ?? '{}'
    const [file] = Object.values((JSON.parse(line) as { readonly blobs: Readonly<Record<string, string>> }).blobs)
    expect(await readFile(file ?? '', 'utf8')).toBe('new\n')
    expect(await readFile(join(at.cwd, 'new.txt'), 'utf8')).toBe('new\n')
  })

  test('the readable output shows a subagent’s steps indented', async () => {
    const at = await place(DELEGATES)
    const { stdout } = await runAgent([...REAL, '--no-json', 'Do it'], at)
    const rows = stdout.split('\n').map((row) => row.replace(/\(s_\w+\)/, '(id)').slice(0, 30))
    expect(rows.filter((row) => /^ {3}(?:@|\/|>)/.test(row))).toEqual([
      '   @  the code agent (id)',
      '   /  Write new.txt',
      '   /: The new file new.txt nee',
      '   /- Refused: Nobody can sign',
      '   > Written.',
    ])
    expect(rows.filter((row) => /^[@/>]/.test(row))).toEqual(['/  Start a code agent: Write i', '> Thanks.'])
  })

  test('a subagent that is still running when the agent has finished is stopped', async () => {
    const at = await place(({ body }) => {
      if (JSON.stringify(body.messages[0]).includes('CHILD')) return calls(call('shell', { command: 'sleep 300' }))
      return body.messages.length > 1 ? say('Thanks.') : calls(call('spawn_agent', { task: 'CHILD: sleep' }))
    })
    const outcome = await runAgent([...REAL, '--approve', 'all', 'Do it'], at)
    expect(outcome.code).toBe(0)
    expect(ofChildren(outcome).at(-1)).toEqual({ kind: 'PROCESSING_END', reason: 'stopped' })
  })
})

describe('on a terminal', () => {
  test('the question says which agent asks, and the answer reaches it', async () => {
    const at = await place(DELEGATES)
    const { code, screen } = await runOnTerminal([...REAL, 'Do it'], at, [
      { when: '   The code agent asks:', type: '' },
      { when: 'Sign it? y, n, or a message to the agent: ', type: 'y\r' },
    ])
    expect(code).toBe(0)
    expect(await readFile(join(at.cwd, 'new.txt'), 'utf8')).toBe('new\n')
    expect(screen).toContain('   // Signed')
  })

  test('Ctrl+C at the question of a subagent stops it and its parent', async () => {
    const at = await place(DELEGATES)
    const { code } = await runOnTerminal([...REAL, 'Do it'], at, [{ when: 'or a message to the agent: ', type: '\u0003' }])
    expect(code).toBe(1)
    const events = await storedEvents(at.data)
    expect(kept(events, 'PROCESSING_END').map(({ reason }) => reason)).toEqual(['stopped', 'stopped'])
    expect(kept(events, 'APPROVAL_ANSWERED').map(({ answer }) => answer)).toEqual([{ kind: 'withdrawn', why: 'stopped' }])
  })
})
