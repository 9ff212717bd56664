import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { ofKind, runAgent } from '../headless/support/agent-process.ts'
import { asked, place as modelPlace } from '../headless/support/model-place.ts'
import { LAYERS_FOLDER } from '../../main/store/file-names.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { buildGuest, type SshServer, startSshServer, whyNoSshServer } from './support/ssh-server.ts'

describe.skipIf(whyNoSshServer !== null || hasNoCopies)('copies and layers on an ssh host', { timeout: 180_000 }, () => {
  let server: SshServer
  const projectIn = (name: string): string => {
    const folder = realpathSync(mkdtempSync(join(server.folder, `${name}-`)))
    execFileSync('git', ['init', '-q', folder])
    writeFileSync(join(folder, 'a.txt'), 'one\n')
    return folder
  }
  const runThere = async (folder: string, at: Awaited<ReturnType<typeof modelPlace>>, ...args: readonly string[]) => {
    const { cwd: _, ...data } = at
    const options = { ...data, cwd: '', env: { ...at.env, COUNTERSIGN_SSH_CONFIG: server.config } }
    return runAgent(['--place', `ssh://${server.host}${folder}`, ...args], options, false)
  }
  beforeAll(async () => {
    await buildGuest()
    server = await startSshServer()
  }, 180_000)
  afterAll(() => server?.close())

  test('a command runs in a copy there, and its change set is what is signed', async () => {
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

  test('a session beside the folder works in a layer there, which a later run finds again and brings in', async () => {
    const folder = projectIn('beside')
    const at = await modelPlace([
      calls(call('edit', { file_path: 'a.txt', old_string: 'one', new_string: 'one beside' })),
      calls(call('shell', { command: 'cat a.txt; echo made > made.txt; ls' })),
      say('Done.'),
    ])
    const ran = await runThere(folder, at, '--beside', 'Do it')
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect(await asked(at.model, 2)).toContain('one beside\\na.txt\\nmade.txt')
    // Nothing of it is in the folder.
    expect([readFileSync(join(folder, 'a.txt'), 'utf8'), existsSync(join(folder, 'made.txt'))]).toEqual(['one\n', false])
    expect(ofKind(ran, 'FILES_CHANGED').flatMap(({ files }) => files.map(({ shown }) => shown))).toEqual(['a.txt', 'made.txt'])
    const below = join(server.home, '.cache/countersign/folders')
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
