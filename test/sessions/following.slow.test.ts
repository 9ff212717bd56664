import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { call, calls, gate, say, type Script, type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { type SessionProcess, startSession } from './support/child.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const shell = (command: string) => call('shell', { command })

interface Two {
  readonly folder: string
  readonly model: ScriptedModel
  readonly holder: SessionProcess
  readonly follower: SessionProcess
}

/** Starts two real processes with the same session open. The first runs the session, the second follows it. */
async function twoProcesses(script: Script): Promise<Two> {
  const base = temporaryFolder('following')
  const folder = join(base, 'workspace')
  await mkdir(folder)
  const model = await startScriptedModel(script)
  onTestFinished(() => model.close())
  const options = { data: join(base, 'data'), folder, modelUrl: model.url }
  const holder = await startSession(options)
  const follower = await startSession({ ...options, sessionId: holder.sessionId })
  expect([holder.ready.runsHere, follower.ready.runsHere]).toEqual([true, false])
  return { folder, model, holder, follower }
}

describe('a second process', () => {
  test('sees every event of the first in order, and can send a message to the process that runs the session', async () => {
    const { model, holder, follower } = await twoProcesses([calls(call('glob', { pattern: '*' })), say('Nothing.')])
    follower.tell({ kind: 'send', text: 'Look' })
    await follower.event('PROCESSING_END')
    await holder.event('PROCESSING_END')
    expect(follower.events).toEqual(holder.events)
    expect(holder.events.slice(0, 2)).toEqual([
      expect.objectContaining({ kind: 'INPUT_QUEUED', text: 'Look', delivery: 'queue' }),
      expect.objectContaining({ kind: 'USER_INPUT', text: 'Look', delivery: 'prompt' }),
    ])
    expect(model.requests.length).toBe(2)
  })

  test('signs a waiting request, and the step runs once in the process that runs the session', async () => {
    const { folder, holder, follower } = await twoProcesses([calls(shell('echo $PPID >> who.txt')), say('Done.')])
    holder.tell({ kind: 'send', text: 'Go' })
    await follower.event('APPROVAL_REQUESTED')
    follower.tell({ kind: 'sign' })
    expect((await follower.said('answer')).outcome).toEqual({ kind: 'accepted' })
    await holder.event('PROCESSING_END')
    expect(await readFile(join(folder, 'who.txt'), 'utf8')).toBe(`${holder.pid}\n`)
  })

  test('signs at the same moment as the first: only one signature counts, and the step runs once', async () => {
    const { folder, holder, follower } = await twoProcesses([calls(shell('echo x >> count.txt')), say('Done.')])
    holder.tell({ kind: 'send', text: 'Go' })
    await Promise.all([holder.event('APPROVAL_REQUESTED'), follower.event('APPROVAL_REQUESTED')])
    for (const one of [follower, holder]) one.tell({ kind: 'sign' })
    const outcomes = await Promise.all([holder, follower].map(async (one) => (await one.said('answer')).outcome))
    await holder.event('PROCESSING_END')
    expect(outcomes.filter((outcome) => JSON.stringify(outcome) === '{"kind":"accepted"}').length).toBe(1)
    expect(await readFile(join(folder, 'count.txt'), 'utf8')).toBe('x\n')
  })

  test('stops a turn of another process', async () => {
    const held = gate()
    const { holder, follower, model } = await twoProcesses(async () => {
      await held.opened
      return say('Too late.')
    })
    onTestFinished(() => held.open())
    holder.tell({ kind: 'send', text: 'Go' })
    await follower.event('REQUEST_CONTEXT')
    await model.request(0)
    follower.tell({ kind: 'stop' })
    await holder.event('PROCESSING_END')
    expect(holder.events.at(-1)).toEqual({ kind: 'PROCESSING_END', reason: 'stopped' })
  })

  test('steers a turn of another process', async () => {
    const held = gate()
    const { holder, follower, model } = await twoProcesses(async ({ index }) => {
      if (index === 0) await held.opened
      return index === 0 ? calls(call('glob', { pattern: '*' })) : say('Done.')
    })
    holder.tell({ kind: 'send', text: 'Go' })
    await model.request(0)
    await follower.event('REQUEST_CONTEXT')
    follower.tell({ kind: 'send', text: 'quickly', delivery: 'steer' })
    await holder.event('INPUT_QUEUED')
    held.open()
    await holder.event('PROCESSING_END')
    expect(JSON.stringify(model.requests[1]?.body.messages.at(-1))).toContain('quickly')
  })

  test('takes over the session of a dead process only when it acts in that session', async () => {
    const { folder, holder, follower, model } = await twoProcesses([calls(shell('echo x >> count.txt')), say('Done.')])
    holder.tell({ kind: 'send', text: 'Go' })
    await follower.event('APPROVAL_REQUESTED')
    await holder.kill()
    expect(follower.events.at(-1)?.kind).toBe('APPROVAL_REQUESTED')
    follower.tell({ kind: 'sign' })
    expect((await follower.said('answer')).outcome).toEqual({ kind: 'accepted' })
    await follower.event('PROCESSING_END')
    expect(await readFile(join(folder, 'count.txt'), 'utf8')).toBe('x\n')
    expect(model.requests.length).toBe(2)
  })
})
