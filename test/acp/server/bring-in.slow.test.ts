import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import { describe, expect, test } from 'vitest'
import { hasNoCopies } from '../../environment/copy/support.ts'
import { ROOT } from '../../headless/support/agent-process.ts'
import { place, type Place } from '../../headless/support/model-place.ts'
import { call, calls, say, type Script } from '../../support/scripted-model.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type Answer, choose, openEditor } from './support/editor.ts'
import { startStdioAgent } from './support/stdio.ts'

/** An editor with a session over standard input and output. `options`: further options of `--acp`. */
async function session(at: Place, options: readonly string[], answer?: Answer) {
  const agent = startStdioAgent(at, options)
  const output = Readable.toWeb(agent.child.stdout.pipe(new PassThrough())) as ReadableStream<Uint8Array>
  const editor = openEditor(ndJsonStream(Writable.toWeb(agent.child.stdin), output), answer)
  await editor.initialize()
  const { sessionId } = await editor.agent.request('session/new', { cwd: at.cwd, mcpServers: [] })
  const prompt = (text: string) => editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
  return { agent, editor, sessionId, prompt }
}

/** Adds the fake agent to the agents of the data folder. */
async function installFake(data: string): Promise<void> {
  const program = temporaryFolder('fake-agent')
  await cp(join(ROOT, 'test/fixtures/foreign-agents/fake-agent.mjs'), join(program, 'agent.mjs'))
  await mkdir(join(program, 'sessions'))
  const args = [join(program, 'agent.mjs'), join(program, 'sessions')]
  const fake = { name: 'Fake', command: process.execPath, args, modes: ['free'], folders: [program] }
  await writeFile(join(data, 'agents.json'), JSON.stringify({ agents: { fake } }))
}

const WORK: Script = [
  calls(call('write_file', { file_path: 'new.txt', content: 'new\n' }), call('read_file', { file_path: 'old.txt' })),
  calls(call('write_file', { file_path: 'old.txt', content: 'after\n' })),
  say('Done.'),
]

describe.skipIf(hasNoCopies)('an editor', () => {
  test('signs the work of a session beside the folder with one permission that has the whole texts of its files', async () => {
    const at = await place(WORK)
    await writeFile(join(at.cwd, 'old.txt'), 'before\n')
    const { agent, editor, prompt } = await session(at, ['--beside'])
    await editor.until(() =>
      editor.ofKind('available_commands_update').some((one) => one.availableCommands.some(({ name }) => name === 'bring-in')),
    )
    expect(await prompt('Work')).toEqual({ stopReason: 'end_turn' })
    expect(editor.asked).toEqual([])
    expect(await readdir(at.cwd)).toEqual(['old.txt'])
    expect(await prompt('/bring-in')).toEqual({ stopReason: 'end_turn' })
    expect(editor.asked).toHaveLength(1)
    const [{ toolCall, options } = { toolCall: null, options: [] }] = editor.asked
    expect(toolCall?.content?.filter(({ type }) => type === 'diff')).toEqual([
      { type: 'diff', path: join(at.cwd, 'new.txt'), oldText: null, newText: 'new\n' },
      { type: 'diff', path: join(at.cwd, 'old.txt'), oldText: 'before\n', newText: 'after\n' },
    ])
    expect(options.map(({ kind }) => kind)).toEqual(['allow_once', 'reject_once'])
    expect(await readFile(join(at.cwd, 'new.txt'), 'utf8')).toBe('new\n')
    expect(await readFile(join(at.cwd, 'old.txt'), 'utf8')).toBe('after\n')
    const last = editor.ofKind('tool_call_update').findLast(({ toolCallId }) => toolCallId === toolCall?.toolCallId)
    expect(last?.status).toBe('completed')
    // Everything has been signed.
    expect(await prompt('/bring-in')).toEqual({ stopReason: 'end_turn' })
    expect(editor.text()).toContain('nothing to bring in')
    expect(editor.asked).toHaveLength(1)
    await agent.expectEnd()
  })

  test('that refuses the work, or does not answer, leaves the folder unchanged, and can be asked again', async () => {
    const at = await place(WORK)
    await writeFile(join(at.cwd, 'old.txt'), 'before\n')
    const answers: Answer[] = [() => ({ outcome: { outcome: 'cancelled' } }), choose('reject_once'), choose('allow_once')]
    const { agent, prompt } = await session(at, ['--beside'], (asked, signal) => (answers.shift() ?? choose('reject_once'))(asked, signal))
    await prompt('Work')
    expect(await prompt('/bring-in')).toEqual({ stopReason: 'cancelled' })
    expect(await prompt('/bring-in')).toEqual({ stopReason: 'end_turn' })
    expect(await readdir(at.cwd)).toEqual(['old.txt'])
    expect(await readFile(join(at.cwd, 'old.txt'), 'utf8')).toBe('before\n')
    await prompt('/bring-in')
    expect(await readFile(join(at.cwd, 'old.txt'), 'utf8')).toBe('after\n')
    await agent.expectEnd()
  })

  test('that cancels its prompt is no longer asked, and the work can still be signed', async () => {
    const at = await place(WORK)
    await writeFile(join(at.cwd, 'old.txt'), 'before\n')
    const withdrawn = Promise.withResolvers<void>()
    const answers: Answer[] = [
      (_, signal) => {
        signal.addEventListener('abort', () => withdrawn.resolve())
        return new Promise(() => {})
      },
    ]
    const { agent, editor, sessionId, prompt } = await session(at, ['--beside'], (asked, signal) =>
      (answers.shift() ?? choose('allow_once'))(asked, signal),
    )
    await prompt('Work')
    const asking = prompt('/bring-in')
    await editor.until(() => editor.asked.length === 1)
    await editor.agent.notify('session/cancel', { sessionId })
    expect(await asking).toEqual({ stopReason: 'cancelled' })
    await withdrawn.promise
    expect(await readdir(at.cwd)).toEqual(['old.txt'])
    expect(await prompt('/bring-in')).toEqual({ stopReason: 'end_turn' })
    expect(await readFile(join(at.cwd, 'old.txt'), 'utf8')).toBe('after\n')
    await agent.expectEnd()
  })

  test('is asked after each turn of a third-party agent, with the diffs of the turn, and the agent learns what was refused', async () => {
    const at = await place([])
    await installFake(at.data)
    const answers: Answer[] = [choose('allow_once'), choose('reject_once')]
    const { agent, editor, prompt } = await session(at, ['--agent', 'fake'], (asked, signal) =>
      (answers.shift() ?? choose('reject_once'))(asked, signal),
    )
    expect(await prompt(JSON.stringify([{ write: ['a.txt', 'a\n'] }]))).toEqual({ stopReason: 'end_turn' })
    expect(await readFile(join(at.cwd, 'a.txt'), 'utf8')).toBe('a\n')
    await prompt(JSON.stringify([{ write: ['b.txt', 'b\n'] }]))
    expect(editor.asked.map(({ toolCall }) => toolCall.content?.flatMap((one) => (one.type === 'diff' ? [one.path] : [])))).toEqual([
      [join(at.cwd, 'a.txt')],
      [join(at.cwd, 'b.txt')],
    ])
    expect(await readdir(at.cwd)).toEqual(['a.txt'])
    await prompt(JSON.stringify([{ prompt: true }]))
    expect(editor.text()).toContain('The user refused')
    expect(editor.asked).toHaveLength(2)
    await agent.expectEnd()
  })
})
