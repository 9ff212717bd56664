import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bringIn } from '../../main/layers/bring-in-session.ts'
import { createPictures } from '../../main/sessions/attached-pictures.ts'
import { png } from '../support/small-pictures.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { agentPlace, changesByStep, eventsOf, saidIn, send } from './support/agent-place.ts'

describe.skipIf(hasNoCopies)('a session with a third-party agent', () => {
  test('goes on after a restart in the agent’s own session, whose replayed history is not taken for new work', async () => {
    const { app, project, start } = await agentPlace()
    const session = await start()
    await send(session, [{ session: true }, { write: ['a.txt', 'first\n'] }])
    await app.sessions.discard(session.sessionId)
    const again = await app.sessions.open(session.sessionId)
    if (!again.ok) throw new Error(again.failure.what)
    await send(again.value, [{ session: true }, { mode: true }, { write: ['b.txt', 'second\n'] }])
    const [first, second] = saidIn(again.value).match(/\[their-[^\]]+\]/gu) ?? []
    expect(second).toBe(first)
    expect(saidIn(again.value)).not.toContain('REPLAYED')
    expect(saidIn(again.value)).toContain('[mode free]')
    expect(changesByStep(again.value)).toEqual([
      ['Write a.txt', ['+a.txt']],
      ['Write b.txt', ['+b.txt']],
    ])
    expect(await readdir(project)).toEqual([])
  })

  test('ends its turn when the user stops it, and the agent takes the next message', async () => {
    const { start } = await agentPlace()
    const session = await start()
    const running = session.running()
    running?.submit(JSON.stringify([{ say: 'Waiting.' }, { waitForCancel: true }, { say: 'never said' }]))
    await expect.poll(() => session.record.state().live?.text).toContain('Waiting.')
    await session.stop()
    expect(eventsOf(session, 'PROCESSING_END').at(-1)).toMatchObject({ reason: 'stopped' })
    await send(session, [{ say: 'Back.' }, { write: ['a.txt', 'x'] }])
    expect(changesByStep(session)).toEqual([['Write a.txt', ['+a.txt']]])
    expect(saidIn(session)).not.toContain('never said')
  })

  test('ends the commands that the agent leaves running when the user stops its turn, and nothing that ran before', async () => {
    const { start, data } = await agentPlace()
    const session = await start()
    const before = `/tmp/before-${basename(data)}`
    const during = `/tmp/during-${basename(data)}`
    await send(session, [{ daemon: before }])
    session.running()?.submit(JSON.stringify([{ daemon: during }, { say: 'Waiting.' }, { waitForCancel: true }]))
    await expect.poll(() => session.record.state().live?.text).toContain('Waiting.')
    expect(processesNaming(during)).not.toEqual([])
    await session.stop()
    expect(processesNaming(during)).toEqual([])
    expect(processesNaming(before)).not.toEqual([])
    await send(session, [{ say: 'Back.' }])
    expect(saidIn(session)).toContain('Back.')
  })

  test('ends all parts of a command that the agent leaves running, but not its own servers', async () => {
    const { start, data } = await agentPlace()
    const session = await start()
    const command = `/tmp/command-${basename(data)}`
    const plain = `/tmp/plain-${basename(data)}`
    const server = `/tmp/server-${basename(data)}`
    session
      .running()
      ?.submit(JSON.stringify([{ pipeline: command }, { plainCommand: plain }, { server }, { say: 'Waiting.' }, { waitForCancel: true }]))
    await expect.poll(() => session.record.state().live?.text).toContain('Waiting.')
    await expect.poll(() => [command, plain, server].map((path) => processesNaming(path).length)).toEqual([1, 1, 2])
    await session.stop()
    expect([command, plain].flatMap(processesNaming)).toEqual([])
    expect(processesNaming(server)).toHaveLength(2)
  })

  test('ends the commands of an agent that was restarted during the turn, but not the agent', async () => {
    const { start, data } = await agentPlace()
    const session = await start()
    const left = `/tmp/left-${basename(data)}`
    const running = session.running()
    running?.submit(JSON.stringify([{ process: true }, { run: 'sleep 1' }, { leave: true }]))
    await expect.poll(() => eventsOf(session, 'TOOL_CALL_START'), { timeout: 20_000 }).toHaveLength(1)
    running?.steer(JSON.stringify([{ daemon: left }, { process: true }, { say: 'Waiting.' }, { waitForCancel: true }]))
    await expect.poll(() => session.record.state().live?.text, { timeout: 20_000 }).toContain('Waiting.')
    expect(processesNaming(left)).not.toEqual([])
    await session.stop()
    expect(processesNaming(left)).toEqual([])
    expect(eventsOf(session, 'ERROR')).toEqual([])
    await send(session, [{ process: true }])
    const [first, second, third] = saidIn(session).match(/\[process \d+\]/gu) ?? []
    expect(second).not.toBe(first)
    expect(third).toBe(second)
  })

  test('passes on a choice that is made while the agent starts', async () => {
    const { app, data, start } = await agentPlace()
    const session = await start()
    const read = JSON.parse(await readFile(join(data, 'agents.json'), 'utf8')) as { agents: { fake: { args: string[] } } }
    const state = read.agents.fake.args[1] ?? ''
    await writeFile(join(state, 'hold'), '')
    session.running()?.submit(JSON.stringify([{ model: true }]))
    await expect.poll(() => readdir(state), { timeout: 20_000 }).toContain('held')
    expect(await app.agentChoices.choose(session.sessionId, 'their-model', 'large')).toMatchObject({ ok: true })
    await rm(join(state, 'hold'))
    await session.running()?.idle()
    expect(saidIn(session)).toContain('[model large]')
  })

  test('keeps what the agent writes to its state folders below home, and nothing else below home; changed settings are reported', async () => {
    const { app, data, start } = await agentPlace()
    const state = await mkdtemp(join(homedir(), '.countersign-test-agent-'))
    onTestFinished(() => rm(state, { recursive: true }))
    const read = JSON.parse(await readFile(join(data, 'agents.json'), 'utf8')) as { agents: { fake: { folders: string[] } } }
    const { fake } = read.agents
    await writeFile(
      join(data, 'agents.json'),
      JSON.stringify({
        agents: { fake: { ...fake, folders: [...fake.folders, state, `${state}.json`], settings: [join(state, 'hooks.json')] } },
      }),
    )
    const single = `${state}.json`
    onTestFinished(() => rm(single, { force: true }))
    const session = await start()
    const elsewhere = join(homedir(), `.countersign-test-${basename(data)}`)
    await send(session, [{ secretly: [join(state, 'token'), 'new'] }, { secretly: [elsewhere, 'lost'] }])
    expect(eventsOf(session, 'WARNING')).toEqual([])
    await send(session, [{ secretly: [join(state, 'hooks.json'), '{}'] }])
    expect(eventsOf(session, 'WARNING').map(({ trouble }) => trouble.code)).toEqual(['agent_settings_changed'])
    expect(saidIn(session)).toContain('Fake gave no answer.')
    expect(eventsOf(session, 'ERROR')).toEqual([])
    expect(await readFile(join(state, 'token'), 'utf8')).toBe('new')
    await send(session, [{ secretly: [single, '{"starts":1}'] }])
    await app.sessions.close(session.sessionId)
    expect(await readFile(single, 'utf8')).toBe('{"starts":1}')
    await expect(readFile(elsewhere)).rejects.toThrow('ENOENT')
  })

  test('passes on pictures to the agent, and a message sent while it works is its next message', async () => {
    const { app, start } = await agentPlace()
    const session = await start()
    const picture = createPictures(app.store.blobs).keep(png(2, 2, [0, 0, 255]))
    if (!picture.ok) throw new Error(picture.failure.what)
    const running = session.running()
    running?.submit({ text: JSON.stringify([{ pictures: true }, { run: 'sleep 1' }]), pictures: [picture.value] })
    await expect.poll(() => eventsOf(session, 'TOOL_CALL_START')).toHaveLength(1)
    running?.steer('and this too')
    await running?.idle()
    expect(saidIn(session)).toContain('[image/png]')
    expect(saidIn(session)).toContain('You said: and this too')
  })

  test('undoes one step of the agent, which then sees the earlier version of the file, and is told', async () => {
    const { project, start } = await agentPlace()
    await writeFile(join(project, 'a.txt'), 'one\n')
    const session = await start()
    await send(session, [{ write: ['a.txt', 'two\n'] }, { write: ['b.txt', 'b\n'] }])
    const target = { kind: 'step', step: 1 } as const
    const preview = await session.previewUndo(target)
    if (!preview.ok) throw new Error(preview.failure.what)
    expect(await session.undo({ target, plan: preview.value.plan, anyway: [], choices: [] })).toMatchObject({ kind: 'done' })
    await send(session, [{ run: 'cat a.txt b.txt' }, { prompt: true }])
    expect(eventsOf(session, 'TOOL_CALL_END').at(-1)?.output).toBe('one\nb\n')
    expect(saidIn(session)).toContain('[The user undid step 1 and kept later work. Changed on disk: a.txt.')
    await send(session, [{ say: 'Again:' }, { prompt: true }])
    expect(saidIn(session).split('Again:')[1]).not.toContain('undid')
  })

  test('what the agent leaves in .git is in no change set, and is never brought in', async () => {
    const { app, project, start } = await agentPlace()
    await mkdir(join(project, '.git'))
    const session = await start()
    await send(session, [{ secretly: ['.git/opencode', 'dropped'] }, { write: ['a.txt', 'x'] }])
    expect(changesByStep(session)).toEqual([['Write a.txt', ['+a.txt']]])
    const asked = await bringIn(app, session.sessionId, AbortSignal.timeout(60_000))
    if (!asked.ok) throw new Error(asked.failure.what)
    const [request] = eventsOf(asked.value.session, 'APPROVAL_REQUESTED')
    if (request) await asked.value.session.answer({ ...request, answer: { kind: 'sign' }, from: 'terminal' })
    await asked.value.session.running()?.idle()
    expect((await readdir(project)).toSorted()).toEqual(['.git', 'a.txt'])
    expect(await readdir(join(project, '.git'))).toEqual([])
  })

  test('reports a crash of the agent with a way to continue, and keeps the agent’s changes', async () => {
    const { start } = await agentPlace()
    const session = await start()
    await send(session, [{ write: ['a.txt', 'x'] }, { crash: true }])
    const [error] = eventsOf(session, 'ERROR')
    expect(error?.error.what).toMatch(/^Fake failed: .*It wrote: fake agent started/u)
    expect(error?.error.todo).toContain('Send a message to go on')
    await send(session, 'hello')
    expect(saidIn(session)).toContain('You said: hello')
    expect(changesByStep(session)).toEqual([['Write a.txt', ['+a.txt']]])
  })

  test('survives an agent that breaks the protocol, and keeps its writes in the layer', async () => {
    const { project, start } = await agentPlace()
    const session = await start()
    await send(session, [
      { updateFirst: 'Find it' },
      { neverEnds: 'sleep forever' },
      { fails: 'false' },
      { unknownRequest: true },
      { fsWrite: join(project, 'past.txt') },
    ])
    await send(session, [{ secretly: ['late.txt', 'nobody told'] }])
    const ends = eventsOf(session, 'TOOL_CALL_END')
    const titles = eventsOf(session, 'TOOL_CALL_START').map(({ args }) => args?.['title'])
    expect(titles).toEqual(['Find it', 'sleep forever', 'false', 'What happened after the last step'])
    expect(ends.map(({ isError }) => isError)).toEqual([false, true, true, false])
    expect(saidIn(session)).toContain('[-32601]')
    expect(changesByStep(session)).toEqual([['What happened after the last step', ['+late.txt']]])
    expect(await readdir(project)).toEqual([])
    expect(session.record.state()).toMatchObject({ run: 'IDLE', ended: 'completed' })
  })

  test('shows the agent’s plan, tokens and cost as its own', async () => {
    const { start } = await agentPlace()
    const session = await start()
    await send(session, [{ plan: ['Look', 'Change'] }, { usage: [400, 0.25] }, { run: 'true' }, { usage: [500, 0.3] }])
    const { todos, costUsd, context } = session.record.state()
    expect(todos.map(({ content }) => content)).toEqual(['Look', 'Change'])
    expect(costUsd).toBeCloseTo(0.3)
    expect(context).toBe(500)
  })

  test('ends every process of the agent when it is closed, even a daemon', async () => {
    const { app, start, data } = await agentPlace()
    const session = await start()
    const beat = `/tmp/beat-${basename(data)}`
    await send(session, [{ daemon: beat }])
    expect(processesNaming(beat)).not.toEqual([])
    await app.sessions.close(session.sessionId)
    await expect.poll(() => processesNaming(beat)).toEqual([])
  })

  test('says how to install an agent that is not installed', async () => {
    const { app, start } = await agentPlace()
    await writeFile(join(app.parts.dataFolder, 'agents.json'), JSON.stringify({ agents: { codex: { command: 'no-such-codex' } } }))
    const session = await start('codex')
    await send(session, 'hello')
    expect(eventsOf(session, 'ERROR')[0]?.error.what).toBe(
      'Codex could not be started. The program no-such-codex was not found. Install it with: npm install -g @agentclientprotocol/codex-acp',
    )
  })
})

/** The processes of this machine whose command line contains a text. */
function processesNaming(text: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/u.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)
    } catch {
      return false
    }
  })
}
