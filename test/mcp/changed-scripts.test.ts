import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { runMcpCommand } from '../../main/headless/commands/mcp-command.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { openFamily } from '../subagents/support/family.ts'
import { createStorageThread } from '../../main/store/cleaning/storage-thread.ts'
import { ok } from '../../shared/lib/result.ts'
import { say } from '../support/scripted-model.ts'

/** Removes everything from the content store that nothing needs. */
async function sweep(dataFolder: string): Promise<void> {
  const thread = createStorageThread(dataFolder)
  await thread.ask({ kind: 'sweep', blobs: null, kept: [] })
  await thread.close()
}

const NO_OTHERS = {
  preview: () => Promise.resolve({ files: [], servers: [], leftOut: [] }),
  add: () => Promise.resolve(ok([])),
}

/** A server that leaves a trace wherever it can. */
const traced = (trace: string, word: string): string => `
import { appendFileSync } from 'node:fs'
try { appendFileSync(${JSON.stringify(trace)}, '${word} ') } catch {}
await import('./hostile.mjs')
`

async function openedServer(origin: 'you' | 'project', sandbox: 'off' | undefined) {
  let trace = ''
  const { app, folder } = await openFamily(() => say('Done.'), {
    ...(sandbox && { sandbox }),
    prepare(at) {
      trace = join(at.data, 'trace')
      copyFileSync('test/fixtures/mcp/hostile-server.mjs', join(at.folder, 'hostile.mjs'))
      writeFileSync(join(at.folder, 'server.mjs'), traced(trace, 'mine'))
      const entry = { command: process.execPath, args: ['server.mjs', 'good'] }
      const file = origin === 'you' ? join(at.data, 'mcp.json') : join(at.folder, '.mcp.json')
      writeFileSync(file, JSON.stringify({ mcpServers: { tools: entry } }))
    },
  })
  await app.trust.decide(folder, true, null)
  app.mcp.open(folder)
  const server = () => app.mcp.state().servers.find(({ name }) => name === 'tools')
  await expect.poll(() => server()?.status).toBe('running')
  if (!sandbox) await app.mcp.setFree(folder, 'tools', { isFree: true, scripts: server()?.scripts ?? null })
  await expect.poll(() => server()).toMatchObject({ status: 'running', isConfined: false })
  const said = (): string => (existsSync(trace) ? readFileSync(trace, 'utf8') : '')
  expect(said()).toBe('mine ')
  return { app, folder, trace, server, said }
}

test.skipIf(hasNoCopies).each([
  ['of the project', 'project', 'with full rights', undefined],
  ['of the user', 'you', 'with full rights', undefined],
  ['of the project', 'project', 'without a sandbox', 'off'],
  ['of the user', 'you', 'without a sandbox', 'off'],
] as const)(
  'an MCP server %s (%s) that runs %s (%s) does not start once its file in the project changed, until the user allows it again',
  { timeout: 60_000 },
  async (_, origin, __, sandbox) => {
    const { app, folder, trace, server, said } = await openedServer(origin, sandbox)
    await app.mcp.restart(folder, 'tools')
    await expect.poll(said).toBe('mine mine ')
    await expect.poll(() => server()?.status).toBe('running')
    await sweep(dirname(trace))
    writeFileSync(join(folder, 'server.mjs'), traced(trace, 'theirs'))
    await app.mcp.restart(folder, 'tools')
    await expect
      .poll(() => server())
      .toMatchObject({
        status: 'failed',
        changed: [{ shown: 'server.mjs', hunks: [expect.stringMatching(/^-.*'mine '.*\n\+.*'theirs '/mu)] }],
        failure: expect.stringContaining('server.mjs changed since you trusted it. It will not run until you review it'),
      })
    const written: string[] = []
    await runMcpCommand(
      { kind: 'list', json: false },
      { servers: app.mcp, folder, write: (text) => void written.push(text), foreign: NO_OTHERS, terminal: null },
    )
    expect(written.join('')).toMatch(/What changed in server\.mjs since you trusted it:\n[\s\S]*\| -.*'mine '.*\n.*\| \+.*'theirs '/u)
    expect(said()).toBe('mine mine ')
    const shown = server()?.scripts ?? null
    writeFileSync(join(folder, 'server.mjs'), traced(trace, 'later'))
    await app.mcp.setFree(folder, 'tools', { isFree: !sandbox, scripts: shown })
    await expect
      .poll(() => server())
      .toMatchObject({
        status: 'failed',
        changed: [{ shown: 'server.mjs', hunks: [expect.stringMatching(/^-.*'theirs '.*\n\+.*'later '/mu)] }],
      })
    expect(said()).toBe('mine mine ')
    await app.mcp.setFree(folder, 'tools', { isFree: !sandbox, scripts: server()?.scripts ?? null })
    await expect.poll(() => server()).toMatchObject({ status: 'running', changed: [] })
    expect(said()).toBe('mine mine later ')
  },
)

test(
  'without a window, --let-out trusts changed files of an MCP server only with the hash of what was shown',
  { timeout: 60_000 },
  async () => {
    const { app, folder, trace, server, said } = await openedServer('project', 'off')
    const letOut = async (hash: string | null): Promise<{ readonly code: number; readonly complaints: string }> => {
      const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
      const command = { kind: 'approve', server: 'tools', hash, letOut: true, json: false } as const
      const code = await runMcpCommand(command, { servers: app.mcp, folder, write: () => {}, foreign: NO_OTHERS, terminal: null })
      const complaints = stderr.mock.calls.join('')
      stderr.mockRestore()
      return { code, complaints }
    }
    const hashIn = (complaints: string): string => / ([\da-f]{64}) --let-out/u.exec(complaints)?.[1] ?? ''
    writeFileSync(join(folder, 'server.mjs'), traced(trace, 'theirs'))
    const first = hashIn((await letOut(null)).complaints)
    expect(first).not.toBe('')
    writeFileSync(join(folder, 'server.mjs'), traced(trace, 'later'))
    expect(await letOut(first)).toMatchObject({ code: 1, complaints: expect.stringContaining('no longer have this hash') })
    expect(said()).toBe('mine ')
    await letOut(hashIn((await letOut(null)).complaints))
    await expect.poll(() => server()).toMatchObject({ status: 'running', changed: [] })
    expect(said()).toBe('mine later ')
  },
)

test('a file that a server names and that appears only later is a change', { timeout: 60_000 }, async () => {
  const { app, folder, trace, server, said } = await openedServer('project', 'off')
  rmSync(join(folder, 'server.mjs'))
  await app.mcp.restart(folder, 'tools')
  await expect.poll(() => server()).toMatchObject({ status: 'failed', scripts: {} })
  await app.mcp.setFree(folder, 'tools', { isFree: false, scripts: server()?.scripts ?? null })
  await expect.poll(() => server()?.status).toBe('failed')
  writeFileSync(join(folder, 'server.mjs'), traced(trace, 'theirs'))
  await app.mcp.restart(folder, 'tools')
  await expect
    .poll(() => server())
    .toMatchObject({ status: 'failed', changed: [{ shown: 'server.mjs', hunks: [expect.stringContaining('+')] }] })
  expect(said()).toBe('mine ')
})
