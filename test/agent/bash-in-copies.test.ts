import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasNoCopies, treeOf } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { answerCall, type RigOptions, waiting } from './support/rig.ts'
import { only, resultsOf, rigFor } from './support/scripted-rig.ts'

const bash = (command: string, more: Readonly<Record<string, unknown>> = {}) => call('bash', { command, ...more })

/** A session whose agent makes these calls, each in an answer of its own. */
async function agentCalls(made: readonly ReturnType<typeof bash>[], options: RigOptions = {}) {
  const { rig, provider } = await rigFor([...made.map((one) => calls(one)), say('Done.')], { inCopies: true, mode: 'ask', ...options })
  mkdirSync(join(rig.folder, 'd'))
  const folder = realpathSync(rig.folder)
  rig.session.submit('go')
  return { rig, folder, printed: (at: number) => String(resultsOf(provider.requests[at + 1]).at(-1)?.[1]) }
}

describe.skipIf(hasNoCopies)('bash, whose commands run in copies', { timeout: 60_000 }, () => {
  it('keeps folder, variables and functions from call to call, asks nobody, and changes nothing', async () => {
    const { rig, folder, printed } = await agentCalls([
      bash('cd d; a=1; export B=2; f() { echo "f $1"; }'),
      bash('pwd; echo "$a $B"; f 3'),
      bash('echo "$a"', { working_dir: '.' }),
      bash('pwd'),
    ])
    const before = treeOf(rig.folder)
    await rig.session.idle()
    expect(printed(1)).toMatch(`${folder}/d\n1 2\nf 3\n`)
    expect(printed(2)).toMatch(/^1\n/u)
    expect(printed(3)).toMatch(`${folder}\n`)
    expect([only(rig, 'APPROVAL_REQUESTED'), only(rig, 'TOOL_EXECUTION_START'), treeOf(rig.folder)]).toEqual([[], [], before])
  })

  it('is in a folder that it made once its changes are applied', async () => {
    const { rig, folder, printed } = await agentCalls([bash('mkdir made && cd made && echo x > f; v=kept'), bash('pwd; cat f; echo $v')])
    answerCall(rig.session, (await waiting(rig.session))[0])
    await rig.session.idle()
    expect(printed(1)).toMatch(`${folder}/made\nx\nkept\n`)
  })

  it('is as it was before a command whose changes are refused', async () => {
    const { rig, folder, printed } = await agentCalls([bash('v=old'), bash('mkdir made && cd made; v=new'), bash('pwd; echo $v')])
    answerCall(rig.session, (await waiting(rig.session))[0], 'No.')
    await rig.session.idle()
    expect(printed(2)).toMatch(`${folder}\nold\n`)
    expect(existsSync(join(rig.folder, 'made'))).toBe(false)
  })

  it('is as it was before a command whose changes mode plan drops', async () => {
    const { rig, folder, printed } = await agentCalls([bash('mkdir made && cd made'), bash('pwd')], { mode: 'plan' })
    await rig.session.idle()
    expect(printed(0)).toContain('Its changes were not kept')
    expect(printed(1)).toMatch(`${folder}\n`)
  })

  it('starts anew after `exit` and after kill_shell, and the agent is told', async () => {
    const { rig, folder, printed } = await agentCalls([
      bash('cd d; v=1'),
      bash('exit 4'),
      bash('echo "[$v]"'),
      bash('v=2'),
      call('kill_shell', {}),
      bash('echo "[$v]"; pwd'),
    ])
    await rig.session.idle()
    expect(printed(1)).toMatch(/Exit code: 4[^]*The bash process ended with this command/u)
    expect(printed(2)).toMatch(/^\[\]\n[^]*in a new bash process/u)
    expect(printed(4)).toContain('was stopped')
    expect(printed(5)).toMatch(`[]\n${folder}\n`)
  })

  it('runs for real in mode full', async () => {
    const { rig, printed } = await agentCalls([bash('v=1; echo x > real.txt'), bash('echo "[$v]"')], { mode: 'full' })
    await rig.session.idle()
    expect([existsSync(join(rig.folder, 'real.txt')), rig.kinds().includes('COPY_STARTED')]).toEqual([true, false])
    expect(printed(1)).toContain('[1]')
  })
})
