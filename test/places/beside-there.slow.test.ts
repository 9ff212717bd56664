import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../main/compose/app.ts'
import { headlessHost } from '../../main/headless/headless-host.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { ofKind, runAgent } from '../headless/support/agent-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { asked, place as modelPlace } from '../headless/support/model-place.ts'
import { LAYERS_FOLDER } from '../../main/store/file-names.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { buildGuest, type SshServer, startSshServer, whyNoSshServer } from './support/ssh-server.ts'

/** An MCP server with one tool. It is written in Python, because Node may be in a folder that confined programs cannot see. */
const SERVER = `
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    answers = {
        'initialize': lambda: {'protocolVersion': asked['params']['protocolVersion'], 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}},
        'tools/list': lambda: {'tools': [{'name': 'note', 'description': 'Notes', 'inputSchema': {'type': 'object', 'properties': {}}}]},
    }
    answer = answers.get(asked.get('method'))
    if 'id' not in asked: continue
    said = {'result': answer()} if answer else {'error': {'code': -32601, 'message': 'unknown'}}
    print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], **said}), flush=True)
`

describe.skipIf(whyNoSshServer !== null || hasNoCopies)('copies and layers on an ssh host', { timeout: 180_000 }, () => {
  let ssh: SshServer
  const projectIn = (name: string): string => {
    const folder = realpathSync(mkdtempSync(join(ssh.folder, `${name}-`)))
    execFileSync('git', ['init', '-q', folder])
    writeFileSync(join(folder, 'a.txt'), 'one\n')
    return folder
  }
  const runThere = async (folder: string, at: Awaited<ReturnType<typeof modelPlace>>, ...args: readonly string[]) => {
    const { cwd: _, ...data } = at
    const options = { ...data, cwd: '', env: { ...at.env, COUNTERSIGN_SSH_CONFIG: ssh.config } }
    return runAgent(['--place', `ssh://${ssh.host}${folder}`, ...args], options, false)
  }
  beforeAll(async () => {
    await buildGuest()
    ssh = await startSshServer()
  }, 180_000)
  afterAll(() => ssh?.close())

  test('a command runs in a copy on the host, and its change set is signed', async () => {
    const folder = projectIn('copy')
    const command = 'cat a.txt; printf "two\\n" >> a.txt; mkdir sub; echo new > sub/new.txt'
    const at = await modelPlace([calls(call('shell', { command })), say('Done.')])
    const refused = await runThere(folder, at, '--sandbox', 'require', '--approve', 'none', 'Do it')
    expect(refused.stderr).not.toContain('cannot run in a copy')
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n')
    const ended = ofKind(refused, 'COPY_ENDED')[0]
    const shown = ended?.effects.flatMap((effect) => ('shown' in effect ? [`${effect.kind} ${effect.shown}`] : []))
    expect([ended?.exitCode, shown]).toEqual([0, ['write a.txt', 'write sub/new.txt']])
    const again = await modelPlace([calls(call('shell', { command })), say('Done.')])
    const signed = await runThere(folder, again, '--sandbox', 'require', '--approve', 'all', 'Do it')
    expect([signed.code, signed.stderr]).toEqual([0, ''])
    expect([readFileSync(join(folder, 'a.txt'), 'utf8'), readFileSync(join(folder, 'sub/new.txt'), 'utf8')]).toEqual([
      'one\ntwo\n',
      'new\n',
    ])
    expect(await asked(again.model, 1)).toContain('one')
  })

  test('a project’s MCP server runs confined on the host, and the user’s own servers do not run', async () => {
    const folder = projectIn('mcp')
    const server = { command: 'python3', args: ['server.py'] }
    writeFileSync(join(folder, 'server.py'), SERVER)
    writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { notes: server } }))
    const dataFolder = temporaryFolder('data')
    writeFileSync(join(dataFolder, 'mcp.json'), JSON.stringify({ mcpServers: { own: server } }))
    process.env['COUNTERSIGN_SSH_CONFIG'] = ssh.config
    onTestFinished(() => void delete process.env['COUNTERSIGN_SSH_CONFIG'])
    const parts = { host: headlessHost(), dataFolder, version: '0', openFolder: null, watched: false, whenUnsaved: 'fail' } as const
    const app = await createApp({ ...parts, mayInstall: () => Promise.resolve(true) })
    if (!app.ok) throw new Error(app.failure.what)
    const { trust, mcp, close } = app.value
    onTestFinished(close)
    const address = `ssh://${ssh.host}${folder}`
    expect(await trust.decide(address, true, null)).toBe(true)
    mcp.open(address)
    const started = () => mcp.state().servers.find(({ name }) => name === 'notes')
    await expect.poll(() => started()?.toApprove ?? started(), { timeout: 60_000 }).toEqual(expect.any(String))
    expect([mcp.state().servers.map(({ name }) => name), started()?.isConfined]).toEqual([['notes'], true])
    expect(mcp.approve(address, 'notes', started()?.toApprove ?? '')).toBe(true)
    expect(mcp.tools(address).map(({ tool }) => tool.definition.name)).toEqual(['mcp__notes__note'])
  })

  test('a session beside the folder works in a layer on the host, and a later run brings the layer in', async () => {
    const folder = projectIn('beside')
    const at = await modelPlace([
      calls(call('edit', { file_path: 'a.txt', old_string: 'one', new_string: 'one beside' })),
      calls(call('shell', { command: 'cat a.txt; echo made > made.txt; ls' })),
      say('Done.'),
    ])
    const ran = await runThere(folder, at, '--beside', 'Do it')
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect(await asked(at.model, 2)).toContain('one beside\\na.txt\\nmade.txt')
    // The folder itself is unchanged.
    expect([readFileSync(join(folder, 'a.txt'), 'utf8'), existsSync(join(folder, 'made.txt'))]).toEqual(['one\n', false])
    expect(ofKind(ran, 'FILES_CHANGED').flatMap(({ files }) => files.map(({ shown }) => shown))).toEqual(['a.txt', 'made.txt'])
    const below = join(ssh.home, '.cache/countersign/folders')
    const kept = readdirSync(below).map((name) => join(below, name, LAYERS_FOLDER))
    expect(kept.flatMap((layers) => (existsSync(layers) ? readdirSync(layers) : []))).toHaveLength(1)
    const brought = await runThere(folder, at, 'bring-in', 'last', '--approve', 'all')
    expect([brought.code, brought.stderr]).toEqual([0, ''])
    expect([readFileSync(join(folder, 'a.txt'), 'utf8'), readFileSync(join(folder, 'made.txt'), 'utf8')]).toEqual([
      'one beside\n',
      'made\n',
    ])
  })
})
