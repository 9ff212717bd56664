import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../main/compose/app.ts'
import { headlessHost } from '../../main/headless/headless-host.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { type AgentOutcome, ofKind, runAgent } from '../headless/support/agent-process.ts'
import { asked, KEY, place as modelPlace } from '../headless/support/model-place.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { startContainer, whyNoContainer } from './support/container.ts'
import { buildGuest, type SshServer, startSshServer, whyNoSshServer } from './support/ssh-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const command = (event: string, line: string, matcher = ''): object => ({
  [event]: [{ matcher, hooks: [{ type: 'command', command: line }] }],
})
const settings = (...hooks: readonly object[]): string => JSON.stringify({ hooks: Object.assign({}, ...hooks) })

/** A project with these hooks. */
function projectIn(parent: string, hooks: string): string {
  const folder = realpathSync(mkdtempSync(join(parent, 'project-')))
  execFileSync('git', ['init', '-q', folder])
  writeFileSync(join(folder, 'a.txt'), 'one\n')
  mkdirSync(join(folder, '.claude/hooks'), { recursive: true })
  writeFileSync(join(folder, '.claude/settings.json'), hooks)
  return folder
}

const runs = (ran: AgentOutcome) =>
  ofKind(ran, 'HOOK_RAN').map(({ event, outcome, says, isConfined }) => ({
    event,
    outcome,
    says,
    isConfined: isConfined === true,
  }))

describe.skipIf(whyNoSshServer !== null || hasNoCopies)('hooks of a folder on an ssh host', { timeout: 180_000 }, () => {
  let ssh: SshServer
  const runThere = async (folder: string, at: Awaited<ReturnType<typeof modelPlace>>, ...args: readonly string[]) => {
    const options = { ...at, cwd: '', env: { ...at.env, COUNTERSIGN_SSH_CONFIG: ssh.config } }
    return runAgent(['--place', `ssh://${ssh.host}${folder}`, ...args], options, false)
  }
  beforeAll(async () => {
    await buildGuest()
    ssh = await startSshServer()
  }, 180_000)
  afterAll(() => ssh?.close())

  test('run there, confined to the folder, get no transcript and no key, and can block a call and set variables', async () => {
    const outside = join(ssh.folder, 'outside')
    const folder = projectIn(
      ssh.folder,
      settings(
        command('SessionStart', 'echo "export COLOR=blue" >> "$CLAUDE_ENV_FILE"'),
        command(
          'PreToolUse',
          `cat > input.json; env > env.txt; echo x > ${outside}; grep -q forbidden input.json && { echo no >&2; exit 2; }; exit 0`,
          'Bash',
        ),
      ),
    )
    const at = await modelPlace([
      calls(call('shell', { command: 'echo forbidden > made.txt' })),
      calls(call('shell', { command: 'echo "color $COLOR"' })),
      say('Done.'),
    ])
    const ran = await runThere(folder, at, '--approve', 'all', 'Do it')
    expect(runs(ran)).toEqual([
      { event: 'SessionStart', outcome: 'passed', says: '', isConfined: true },
      { event: 'PreToolUse', outcome: 'blocked', says: 'no', isConfined: true },
      { event: 'PreToolUse', outcome: 'passed', says: '', isConfined: true },
    ])
    expect([existsSync(join(folder, 'made.txt')), existsSync(outside)]).toEqual([false, false])
    expect(JSON.parse(readFileSync(join(folder, 'input.json'), 'utf8'))).toMatchObject({
      cwd: folder,
      tool_name: 'Bash',
      transcript_path: '',
    })
    const variables = readFileSync(join(folder, 'env.txt'), 'utf8')
    expect(variables).toContain(`CLAUDE_PROJECT_DIR=${folder}\n`)
    expect(variables).toContain(`HOME=${ssh.home}\n`)
    expect(variables).not.toContain(KEY)
    expect(await asked(at.model, 2)).toContain('color blue')
  })

  test('cannot sign: a call that such a hook allows is refused without the user', async () => {
    const allow = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } })
    const folder = projectIn(ssh.folder, settings(command('PreToolUse', `echo '${allow}'`)))
    const at = await modelPlace([calls(call('write', { file_path: 'made.txt', content: 'made' })), say('Done.')])
    const ran = await runThere(folder, at, '--approve', 'none', 'Do it')
    expect(existsSync(join(folder, 'made.txt'))).toBe(false)
    expect(runs(ran)).toEqual([
      { event: 'PreToolUse', outcome: 'passed', says: expect.stringContaining('“allow” of a hook on another machine'), isConfined: true },
    ])
  })

  test('programs of the user’s own hooks are not started there or here, and the run says so', async () => {
    const folder = projectIn(ssh.folder, settings())
    const at = await modelPlace([calls(call('read', { file_path: 'a.txt' })), say('Done.')])
    writeFileSync(join(at.data, 'hooks.json'), settings(command('PreToolUse', `touch ${join(at.data, 'ran')}`)))
    const ran = await runThere(folder, at, 'Do it')
    expect([ran.code, runs(ran), existsSync(join(at.data, 'ran'))]).toEqual([0, [], false])
    expect(
      ofKind(ran, 'WARNING')
        .map((event) => JSON.stringify(event))
        .join('\n'),
    ).toContain('Hooks of PreToolUse do not run here: their programs are on this computer')
  })

  test('of a session beside the folder run in its layer', async () => {
    const folder = projectIn(ssh.folder, settings(command('PreToolUse', 'cat > input.json')))
    const at = await modelPlace([calls(call('shell', { command: 'wc -c < input.json; ls' })), say('Done.')])
    const ran = await runThere(folder, at, '--beside', 'Do it')
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect(runs(ran)).toMatchObject([{ outcome: 'passed' }])
    expect(await asked(at.model, 1)).toContain('input.json')
    expect(existsSync(join(folder, 'input.json'))).toBe(false)
  })

  test('get full rights only at their address, and only for scripts as they were shown', async () => {
    const outside = join(ssh.folder, 'free')
    const folder = projectIn(ssh.folder, settings(command('PreToolUse', '"$CLAUDE_PROJECT_DIR"/guard.sh')))
    const script = join(folder, 'guard.sh')
    const write = (text: string): void => {
      writeFileSync(script, `#!/bin/sh\necho ${text} > ${outside}\n`)
      chmodSync(script, 0o755)
    }
    write('first')
    process.env['COUNTERSIGN_SSH_CONFIG'] = ssh.config
    onTestFinished(() => void delete process.env['COUNTERSIGN_SSH_CONFIG'])
    const parts = {
      host: headlessHost(),
      dataFolder: temporaryFolder('data'),
      version: '0',
      openFolder: null,
      watched: false,
      whenUnsaved: 'fail',
    } as const
    const app = await createApp({ ...parts, mayInstall: () => Promise.resolve(true) })
    if (!app.ok) throw new Error(app.failure.what)
    const { trust, hooks, close } = app.value
    onTestFinished(close)
    const address = `ssh://${ssh.host}${folder}`
    expect((await hooks.list(address)).hooks).toEqual([])
    expect(await trust.decide(address, true, null)).toBe(true)
    expect(await trust.decide(folder, true, null)).toBe(true)
    const shown = await hooks.list(address)
    const [hook] = shown.hooks
    if (!hook) throw new Error('The hook is not listed.')
    expect([shown.canConfine, hook.isFree]).toEqual([true, false])
    expect(await hooks.tryOut(address, hook, null)).toMatchObject({ isConfined: true })
    expect(existsSync(outside)).toBe(false)
    write('changed')
    expect(await hooks.setFree(address, hook, true)).toMatchObject([{ shown: 'guard.sh' }])
    const [again] = (await hooks.list(address)).hooks
    if (!again) throw new Error('The hook is not listed.')
    expect(await hooks.setFree(address, again, true)).toEqual([])
    expect([(await hooks.list(address)).hooks[0]?.isFree, (await hooks.list(folder)).hooks[0]?.isFree]).toEqual([true, false])
    expect(await hooks.tryOut(address, hook, null)).toMatchObject({ outcome: 'passed' })
    expect(readFileSync(outside, 'utf8')).toBe('changed\n')
    write('second')
    expect(await hooks.tryOut(address, hook, null)).toMatchObject({ outcome: 'failed', says: expect.stringContaining('guard.sh') })
    expect(readFileSync(outside, 'utf8')).toBe('changed\n')
  })
})

describe.skipIf(whyNoContainer !== null)('hooks of a folder in a container', { timeout: 180_000 }, () => {
  test('run in the container', async () => {
    await buildGuest()
    const container = startContainer()
    onTestFinished(container.close)
    const folder = projectIn(container.folder, settings(command('PreToolUse', 'hostname > name.txt; exit 2')))
    const at = await modelPlace([calls(call('write', { file_path: 'made.txt', content: 'made' })), say('Done.')])
    const address = `container:${container.name}${join(container.inside, basename(folder))}`
    const ran = await runAgent(['--place', address, '--approve', 'all', 'Do it'], { ...at, cwd: '' }, false)
    expect(runs(ran)).toMatchObject([{ event: 'PreToolUse', outcome: 'blocked' }])
    const name = execFileSync('podman', ['exec', container.name, 'hostname'], { encoding: 'utf8' })
    expect([readFileSync(join(folder, 'name.txt'), 'utf8'), existsSync(join(folder, 'made.txt'))]).toEqual([name, false])
  })
})
