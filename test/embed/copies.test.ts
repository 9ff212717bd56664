import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createLocalExecutionEnvironment } from '../../main/agent-entry.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { bodyOf, folder, started } from './started-agent.ts'

const run = (command: string) => calls(call('shell', { command }))

describe.skipIf(hasNoCopies)('an agent of the library', { timeout: 60_000 }, () => {
  test('runs commands in plan mode, in copies that change nothing', async () => {
    const { agent, model, cwd } = await started([run('echo made > made.txt && cat made.txt'), say('Looked.')], { policy: 'plan' })
    expect(await (await agent.createSession()).submit('Look')).toMatchObject({ ended: 'completed' })
    expect(await bodyOf(model, 1)).toContain('made')
    expect(existsSync(join(cwd, 'made.txt'))).toBe(false)
  })

  test('asks for the changes that a command made in its copy, and applies them when they are signed', async () => {
    const { agent, cwd } = await started([run('echo made > made.txt'), say('Done.')])
    const session = await agent.createSession()
    expect(await session.submit('Make it')).toMatchObject({ ended: 'waiting' })
    const [request] = session.requests()
    expect(request?.effects).toContainEqual(expect.objectContaining({ kind: 'write', shown: 'made.txt' }))
    expect(existsSync(join(cwd, 'made.txt'))).toBe(false)
    expect(await session.answer(request?.id ?? '', 'sign')).toMatchObject({ ended: 'completed' })
    expect(readFileSync(join(cwd, 'made.txt'), 'utf8')).toBe('made\n')
  })

  test('has two subagents that write at the same time, each in a layer of its own', async () => {
    const task = (name: string) => call('task', { agent_type: 'code', description: name, prompt: name })
    const { agent, cwd, model } = await started(
      ({ body: { messages } }) => {
        const [first, ...rest] = messages.map((message) => JSON.stringify(message))
        const child = /CHILD-[AB]/u.exec(first ?? '')?.[0]
        if (rest.length > 0) return say('Done.')
        return child ? run(`ls; echo ${child} > ${child}.txt`) : calls(task('CHILD-A'), task('CHILD-B'))
      },
      { onApproval: () => 'sign' },
    )
    expect(await (await agent.createSession()).submit('Delegate')).toMatchObject({ ended: 'completed' })
    expect(['CHILD-A', 'CHILD-B'].map((name) => readFileSync(join(cwd, `${name}.txt`), 'utf8'))).toEqual(['CHILD-A\n', 'CHILD-B\n'])
    const seen = model.requests.map(({ bytes }) => Buffer.from(bytes).toString())
    expect(seen.filter((body) => body.includes('no copy'))).toEqual([])
  })

  test.each([
    ['with sandbox off', () => ({ sandbox: 'off' as const })],
    ['in the environment of a host', (cwd: string) => ({ environment: createLocalExecutionEnvironment(cwd) })],
  ])('asks before a command runs %s', async (_, options) => {
    const cwd = await folder()
    const { agent } = await started([run('touch made.txt'), say('Done.')], { cwd, ...options(cwd) })
    const session = await agent.createSession()
    await session.submit('Make it')
    const [request] = session.requests()
    expect(request?.effects.map(({ kind }) => kind)).toEqual(['command'])
    expect(request?.effects[0]).not.toHaveProperty('sandbox')
  })
})
