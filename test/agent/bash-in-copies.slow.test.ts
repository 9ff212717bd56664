import { existsSync, realpathSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasNoCopies, ownHome, treeOf } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { answerCall, type RigOptions, waiting } from './support/rig.ts'
import { only, resultsOf, rigFor } from './support/scripted-rig.ts'

const bash = (command: string, working_dir?: string) => call('bash', { command, ...(working_dir && { working_dir }) })

/** Opens a session whose agent runs these commands with the bash tool, one command per answer. `d` is a folder of the project. */
async function openBash(commands: readonly ReturnType<typeof bash>[], options: RigOptions = {}) {
  const { rig, provider } = await rigFor([...commands.map((each) => calls(each)), say('Done.')], { inCopies: true, ...options })
  await mkdir(join(rig.folder, 'd'))
  const results = (): readonly unknown[] => provider.requests.slice(1).map((request) => resultsOf(request)[0]?.[1])
  const run = async (): Promise<readonly unknown[]> => {
    rig.session.submit('go')
    await rig.session.idle()
    return results()
  }
  return { rig, run, results, file: (name: string) => readFile(join(rig.folder, name), 'utf8') }
}

const SET_UP = 'cd d; export A=1; B=2; f() { echo "f $A $B"; }; alias hello="echo hi"; shopt -s extglob; [[ aa == +(a) ]] && echo yes'
const LOOK = 'pwd; f; hello; bash -c \'echo "A=$A"\''

describe.skipIf(hasNoCopies)('the bash of a session whose commands run in copies', { timeout: 60_000 }, () => {
  it.each(['ask', 'plan', 'auto'] as const)(
    'passes its folder, variables, functions and aliases to the next command without approval (mode %s)',
    async (mode) => {
      const { rig, run } = await openBash([bash(SET_UP), bash(LOOK), bash('true'), bash(LOOK)], { mode })
      const [, second, , fourth] = await run()
      for (const seen of [second, fourth]) expect(seen).toContain(`${rig.folder}/d\nf 1 2\nhi\nA=1\n`)
      expect(only(rig, 'APPROVAL_REQUESTED')).toEqual([])
      expect(only(rig, 'COPY_ENDED')).toHaveLength(4)
      expect(rig.kinds()).not.toContain('TOOL_EXECUTION_START')
    },
  )

  it('starts the next command of the same answer in its current folder', async () => {
    const { rig, provider } = await rigFor([calls(bash('mkdir new; cd new; A=1'), bash('pwd; echo "A=$A" > a.txt')), say('Done.')], {
      inCopies: true,
      mode: 'auto',
    })
    rig.session.submit('go')
    await rig.session.idle()
    expect(resultsOf(provider.requests[1])[1]?.[1]).toContain(`${rig.folder}/new\n`)
    expect(await readFile(join(rig.folder, 'new', 'a.txt'), 'utf8')).toBe('A=1\n')
  })

  it('keeps a command’s variables once its changes are signed', async () => {
    const { rig, run, file } = await openBash([bash('cd d; A=signed; echo x > a.txt'), bash('pwd; echo $A; cat a.txt')])
    const results = run()
    answerCall(rig.session, (await waiting(rig.session))[0])
    expect((await results)[1]).toContain(`${rig.folder}/d\nsigned\nx\n`)
    expect(await file('d/a.txt')).toBe('x\n')
  })

  it('keeps its earlier state when the changes of a command are refused, and the result for the agent says so', async () => {
    const { rig, run } = await openBash([bash('A=1'), bash('cd d; A=2; echo x > a.txt'), bash('pwd; echo $A')])
    const before = treeOf(rig.folder)
    const results = run()
    answerCall(rig.session, (await waiting(rig.session))[0], 'No.')
    const [, refused, after] = await results
    expect(refused).toContain("The shell's folder, variables and functions are as they were before this command.")
    expect(after).toContain(`${rig.folder}\n1\n`)
    expect(treeOf(rig.folder)).toEqual(before)
  })

  it('keeps its earlier state when plan mode drops the changes', async () => {
    const { rig, run } = await openBash([bash('A=1'), bash('A=2; echo x > a.txt'), bash('echo $A; ls')], { mode: 'plan' })
    const [, dropped, after] = await run()
    expect(dropped).toContain('as they were before this command')
    expect(after).toMatch(/^1\nd\n/u)
    expect(only(rig, 'FILES_CHANGED')).toEqual([])
  })

  it.each([
    ['ends the shell', 'A=2; exit 3'],
    ['is stopped by its time limit', 'A=2; sleep 60'],
  ])('keeps its earlier state when a command %s, and the result for the agent says so', async (_name, command) => {
    const slow = call('bash', { command, timeout_ms: 1500 })
    const { run } = await openBash([bash('A=1'), slow, bash('echo $A')])
    const [, ended, after] = await run()
    expect(ended).toContain('as they were before this command')
    expect(after).toMatch(/^1\n/u)
  })

  it('returns to the project folder if its own folder existed only in the copy, and the result explains this', async () => {
    const { rig, run } = await openBash([bash('mkdir /tmp/only; cd /tmp/only; A=1'), bash('pwd; echo $A')])
    const [first, second] = await run()
    expect(first).toContain(`The folder /tmp/only existed only in the copy, which is gone, so the shell is in ${rig.folder}.`)
    expect(second).toContain(`${rig.folder}\n1\n`)
  })

  it('stays in a folder that a command created in the home folder, although it exists only in copies', async () => {
    const home = realpathSync(ownHome())
    const { run } = await openBash([bash('mkdir -p ~/made; cd ~/made; A=1'), bash('pwd; echo $A')])
    const [first, second] = await run()
    expect(first).not.toContain('gone')
    expect(second).toContain(`${home}/made\n1\n`)
    expect(existsSync(join(home, 'made'))).toBe(false)
  })

  it('runs nothing once its folder is gone, until a command names an existing folder', async () => {
    const { rig, run, file } = await openBash([bash('cd d'), bash('rm -rf ../keep; touch x'), bash('pwd', '.')])
    await writeFile(join(rig.folder, 'keep'), 'kept')
    const subscription = rig.session.record.subscribe(({ event }) => {
      if (event.kind === 'TOOL_CALL_END') void rm(join(rig.folder, 'd'), { recursive: true, force: true })
    })
    const [, gone, back] = await run()
    subscription.dispose()
    expect(gone).toContain('no longer exists')
    expect(back).toContain(`${rig.folder}\n`)
    expect(await file('keep')).toBe('kept')
  })

  it('passes only the folder, not the variables set in a copy, to a command that runs for real', async () => {
    const { rig, run, file } = await openBash([bash('cd d; git() { echo trap; }; A=1'), bash('type -t git; echo "[$A]" > a.txt; pwd')])
    const subscription = rig.session.record.subscribe(({ event }) => {
      if (event.kind === 'TOOL_CALL_END') queueMicrotask(() => rig.session.configure({ mode: 'full' }))
    })
    const [, real] = await run()
    subscription.dispose()
    expect(real).toContain(`file\n${rig.folder}/d\n`)
    expect(real).toContain('variables and functions set in a copy are not set here')
    expect(await file('d/a.txt')).toBe('[]\n')
  })

  it('starts with a fresh state after the agent has ended it', async () => {
    const { rig, run } = await openBash([bash('cd d; A=1'), call('kill_shell', {}), bash('pwd; echo "[$A]"')])
    const [, killed, after] = await run()
    expect(killed).toContain('was stopped')
    expect(after).toContain(`${rig.folder}\n[]\n`)
  })

  it('loses what a command changed in its state if the app restarts before the command’s changes are signed, and the result for the agent says so', async () => {
    const { rig } = await openBash([bash('A=1; echo x > a.txt')])
    rig.session.submit('go')
    await waiting(rig.session)
    await rig.session.suspend()
    const next = await rig.takeOver()
    answerCall(next, (await waiting(next))[0])
    await next.idle()
    expect(only(rig, 'TOOL_CALL_END')[0]?.modelText ?? only(rig, 'TOOL_CALL_END')[0]?.output).toContain('as they were before')
  })

  it('runs for real in full mode', async () => {
    const { rig, run, file } = await openBash([bash('v=1; echo x > real.txt'), bash('echo "[$v]"')], { mode: 'full' })
    expect((await run())[1]).toContain('[1]')
    expect([await file('real.txt'), rig.kinds().includes('COPY_STARTED')]).toEqual(['x\n', false])
  })
})
