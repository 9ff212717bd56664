import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { removeFolder } from '../support/remove-folder.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import type { CallItem } from '../../shared/session/state.ts'
import { answerCall, type Rig, type RigOptions, waiting } from './support/rig.ts'
import { only, resultsOf, rigFor, write } from './support/scripted-rig.ts'

const inBackground = (command: string) => call('shell', { command, run_in_background: true })

/** Returns the path of a file that does not exist, outside of every folder that a sandbox replaces, such as `/tmp`. */
function fileElsewhere(): string {
  const folder = mkdtempSync('/var/tmp/countersign-confined-')
  onTestFinished(() => removeFolder(folder))
  return join(folder, 'file')
}

/** Starts a session whose agent runs a command in the background. */
async function started(command: string, options: RigOptions) {
  const { rig, provider } = await rigFor([calls(inBackground(command)), say('Done.')], { inCopies: true, ...options })
  writeFileSync(join(rig.folder, 'package.json'), '{}')
  rig.session.submit('go')
  const inFolder = (name: string): boolean => existsSync(join(rig.folder, name))
  return { rig, inFolder, result: () => resultsOf(provider.requests[1])[0] }
}

describe.skipIf(hasNoCopies)('a background command', { timeout: 60_000 }, () => {
  it('runs confined in auto mode without approval: it can write only in the folder, and not to control files', async () => {
    const elsewhere = fileElsewhere()
    const { rig, inFolder, result } = await started(
      `echo x > ${elsewhere}; echo y > inside; for f in package.json; do echo z > $f; done; sleep 60`,
      {
        mode: 'auto',
      },
    )
    await rig.session.idle()
    await expect.poll(() => inFolder('inside')).toBe(true)
    expect([existsSync(elsewhere), readFileSync(join(rig.folder, 'package.json'), 'utf8')]).toEqual([false, '{}'])
    expect(only(rig, 'APPROVAL_REQUESTED')).toEqual([])
    expect(only(rig, 'TOOL_EXECUTION_START')[0]?.effects).toEqual([expect.objectContaining({ sandbox: 'confined', way: 'background' })])
    expect(result()).toEqual(['ok', expect.stringContaining('The command runs confined to the project folder')])
  })

  it.each([
    ['ask', 'echo x > f'],
    ['accept-edits', 'echo x > f'],
    ['auto', 'rm -rf src'],
    ['auto', 'echo {} > .mcp.json'],
    ['auto', 'mkdir -p .vscode && echo {} > .vscode/tasks.json'],
  ] as const)('needs approval in mode %s: %s', async (mode, command) => {
    const { rig, inFolder } = await started(command, { mode })
    await waiting(rig.session)
    expect([inFolder('f'), only(rig, 'TOOL_EXECUTION_START')]).toEqual([false, []])
  })

  it('that the user confines needs a new signature if its script has changed since the request', async () => {
    const { rig, inFolder } = await started('sh serve.sh', { mode: 'ask' })
    writeFileSync(join(rig.folder, 'serve.sh'), 'echo x > old')
    const reasons = () => only(rig, 'APPROVAL_REQUESTED').map(({ reason }) => reason)
    const request = async (count: number): Promise<CallItem | undefined> =>
      (await rig.session.record.until(() => (reasons().length === count ? waiting(rig.session) : null), AbortSignal.timeout(60_000)))[0]
    const first = await request(1)
    if (!first?.approval) throw new Error('Nothing waits.')
    const { approvalId, hash } = first.approval
    rig.session.answer({ approvalId, hash, answer: { kind: 'run_confined' }, from: 'terminal' })
    const confined = await request(2)
    expect(confined?.effects).toEqual([expect.objectContaining({ sandbox: 'confined' })])
    writeFileSync(join(rig.folder, 'serve.sh'), 'echo x > new')
    answerCall(rig.session, confined)
    answerCall(rig.session, await request(3))
    await expect.poll(() => inFolder('new')).toBe(true)
    expect([inFolder('old'), reasons()[2]]).toEqual([false, expect.stringContaining('Signed before, but serve.sh has changed since.')])
  })

  it('changes no existing control file, at any depth', async () => {
    const { rig } = await rigFor(
      [
        calls(inBackground('for f in d/AGENTS.md d/e/package.json d/.vscode/tasks.json d/plain.md; do echo evil > $f; done; echo over')),
        calls(call('bash_output', {})),
        say('Done.'),
      ],
      { inCopies: true, mode: 'auto' },
    )
    for (const [path, text] of [
      ['d/AGENTS.md', 'a'],
      ['d/e/package.json', '{}'],
      ['d/.vscode/tasks.json', '{}'],
      ['d/plain.md', 'p'],
    ] as const) {
      mkdirSync(join(rig.folder, path, '..'), { recursive: true })
      writeFileSync(join(rig.folder, path), text)
    }
    rig.session.submit('go')
    await rig.session.idle()
    const text = (path: string): string => readFileSync(join(rig.folder, path), 'utf8')
    await expect.poll(() => text('d/plain.md')).toBe('evil\n')
    expect(['d/AGENTS.md', 'd/e/package.json', 'd/.vscode/tasks.json'].map(text)).toEqual(['a', '{}', '{}'])
  })

  it('cannot keep new control files: they are moved out of the folder, and the user and the model learn where they are', async () => {
    const script = `for f in .mcp.json .vscode/tasks.json AGENTS.md d/.envrc plain; do mkdir -p $(dirname $f); echo evil > $f; done`
    const controls = ['.mcp.json', '.vscode', 'AGENTS.md', 'd/.envrc']
    const troubles = () => only(rig, 'WARNING').map(({ trouble }) => trouble)
    const unnamed = () => controls.filter((path) => !troubles().some(({ what }) => what.includes(path)))
    const { rig, provider } = await rigFor(
      async (_request, index) => {
        if (index === 0) return calls(write('make.sh', script))
        if (index === 1) return calls(inBackground('bash make.sh; sleep 60'))
        // The checks for control files are ten seconds apart. On a busy machine the first one may come before the command has written all
        // files.
        await expect.poll(unnamed, { timeout: 40_000 }).toEqual([])
        return index === 2 ? calls(call('bash_output', { id: 'bg_1' })) : say('Done.')
      },
      { inCopies: true, mode: 'auto' },
    )
    rig.session.submit('go')
    await rig.session.idle()
    const there = [...controls, 'plain'].filter((path) => existsSync(join(rig.folder, path)))
    expect([there, unnamed()]).toEqual([['plain'], []])
    expect(only(rig, 'APPROVAL_REQUESTED')).toEqual([])
    const [keptAt = ''] =
      /\S+set-aside\S+AGENTS\.md/u.exec(
        troubles()
          .map(({ kept }) => kept)
          .join('\n'),
      ) ?? []
    expect(readFileSync(keptAt, 'utf8')).toBe('evil\n')
    expect(JSON.stringify(provider.requests.flatMap(resultsOf))).toContain('Moved out of the folder')
  })

  it('cannot keep a change to a control file that was replaced in the meantime: the original content is restored, and the user is warned', async () => {
    const script = `mkfifo go; touch up; read _ < go; for f in package.json; do echo evil > $f; done`
    const { rig } = await rigFor([calls(write('make.sh', script)), calls(inBackground('bash make.sh')), say('Done.')], {
      inCopies: true,
      mode: 'auto',
    })
    const file = (name: string): string => join(rig.folder, name)
    writeFileSync(file('package.json'), '{}')
    rig.session.submit('go')
    await rig.session.idle()
    await expect.poll(() => existsSync(file('up'))).toBe(true)
    writeFileSync(file('saved.tmp'), '{"saved":1}')
    renameSync(file('saved.tmp'), file('package.json'))
    await writeFile(file('go'), '\n')
    await expect.poll(() => only(rig, 'WARNING')[0]?.trouble.what).toMatch(/replaced.*Restored.*: package\.json\./su)
    expect(readFileSync(file('package.json'), 'utf8')).toBe('{}')
  })

  it.each([
    ['reaches a host that a rule allows', [{ when: { kind: 'host', pattern: '127.0.0.1' }, answer: 'allow' }] as const, 'reached'],
    ['cannot reach another host, and nobody is asked about it', [], 'refused'],
  ])('%s', async (_name, rules, outcome) => {
    const server = createServer((_request, response) => response.end('reached'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const curl = `curl -sf -m 20 --noproxy "" http://127.0.0.1:${port}/ > out || echo refused > out`
    const { rig } = await started(`${curl}; sleep 60`, { mode: 'auto', rules })
    await rig.session.idle()
    await expect.poll(() => existsSync(join(rig.folder, 'out')) && readFileSync(join(rig.folder, 'out'), 'utf8').trim()).toBe(outcome)
    expect(only(rig, 'APPROVAL_REQUESTED')).toEqual([])
  })
})

describe.skipIf(hasNoCopies)('a user who wants a command confined instead', { timeout: 60_000 }, () => {
  const instead = ({ session }: Rig, kind: 'run_confined' | 'run_for_real', item: CallItem | undefined) => {
    if (!item?.approval) throw new Error('Nothing waits.')
    const { approvalId, hash } = item.approval
    return session.answer({ approvalId, hash, answer: { kind }, from: 'terminal' })
  }
  const next = ({ session }: Rig, before: CallItem | undefined): Promise<CallItem> =>
    session.record.until(() => {
      const item = session.state().items.findLast((one) => one.kind === 'call')
      return item?.status === 'waiting' && item.approval?.approvalId !== before?.approval?.approvalId ? item : null
    }, AbortSignal.timeout(60_000))

  it('must sign the confined command in a second request, and the command can then write only in the folder', async () => {
    const elsewhere = fileElsewhere()
    const { rig, inFolder } = await started(`echo x > ${elsewhere}; echo y > inside; sleep 60`, { mode: 'ask' })
    const [open] = await waiting(rig.session)
    expect(instead(rig, 'run_confined', open)).toEqual({ kind: 'accepted' })
    const confined = await next(rig, open)
    expect(confined.effects).toMatchObject([{ kind: 'command', sandbox: 'confined' }])
    expect(inFolder('inside')).toBe(false)
    answerCall(rig.session, confined)
    await rig.session.idle()
    await expect.poll(() => inFolder('inside')).toBe(true)
    expect(existsSync(elsewhere)).toBe(false)
  })

  it('can choose confinement even after choosing to run the command for real, and even after a restart', async () => {
    const elsewhere = fileElsewhere()
    const { rig, provider } = await rigFor([calls(call('shell', { command: `echo x > ${elsewhere}; echo y > inside` })), say('Done.')], {
      inCopies: true,
    })
    rig.session.submit('go')
    const [copied] = await waiting(rig.session)
    expect(instead(rig, 'run_confined', copied)).toMatchObject({ kind: 'ignored', why: 'cannot_amend' })
    instead(rig, 'run_for_real', copied)
    const open = await next(rig, copied)
    expect(instead(rig, 'run_confined', open)).toEqual({ kind: 'accepted' })
    await next(rig, open)
    await rig.session.suspend()
    const session = await rig.takeOver()
    const [confined] = await waiting(session)
    expect(confined?.effects).toMatchObject([{ kind: 'command', sandbox: 'confined' }])
    answerCall(session, confined)
    await session.idle()
    expect([readFileSync(join(rig.folder, 'inside'), 'utf8'), existsSync(elsewhere)]).toEqual(['y\n', false])
    expect(resultsOf(provider.requests.at(-1))[0]).toEqual([
      'ok',
      expect.stringContaining('The command runs confined to the project folder'),
    ])
  })

  it('cannot choose confinement for a command that cannot run in a copy', async () => {
    const { rig } = await rigFor([calls(call('shell', { command: 'docker ps' })), say('Done.')], { inCopies: true })
    rig.session.submit('go')
    const [asked] = await waiting(rig.session)
    expect(instead(rig, 'run_confined', asked)).toMatchObject({ kind: 'ignored', why: 'cannot_amend' })
    expect(rig.session.state().run).toBe('AWAITING_INPUT')
  })
})
