import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, calls, say } from '../support/scripted-model.ts'
import { type AgentOutcome, ofKind, ROOT, runAgent } from '../headless/support/agent-process.ts'
import { runOnTerminal } from '../headless/support/agent-terminal.ts'
import { asked, place } from '../headless/support/model-place.ts'

type Place = Awaited<ReturnType<typeof place>>

const EVERYTHING = [process.execPath, join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio']
/** The program is in the folder, because a confined server can read it there. */
const HOSTILE = [process.execPath, 'server.mjs', 'good']

async function put(file: string, name: string, [command = '', ...args]: readonly string[]): Promise<void> {
  await writeFile(file, JSON.stringify({ mcpServers: { [name]: { command, args } } }))
}

/** Approves the tools of a server as a script does, with the printed hash. */
async function approve(at: Place, name: string, ...flags: readonly string[]): Promise<AgentOutcome> {
  const first = await run(at, ['mcp', 'approve', name, ...flags])
  const [, hash = ''] = / ([\da-f]{64})$/mu.exec(first.stderr) ?? []
  return run(at, ['mcp', 'approve', name, hash])
}

async function projectPlace(script: Parameters<typeof place>[0]): Promise<Place> {
  const at = await place(script)
  await cp(join(ROOT, 'test/fixtures/mcp/hostile-server.mjs'), join(at.cwd, 'server.mjs'))
  return at
}

const run = (at: Place, args: readonly string[]): Promise<AgentOutcome> => runAgent(args, at)
const requestOf = (outcome: AgentOutcome): string => ofKind(outcome, 'APPROVAL_REQUESTED').at(-1)?.approvalId ?? ''

test(
  'with --pause, a question from an MCP server is answered with its form’s defaults or declined, because it cannot be answered later',
  { timeout: 90_000 },
  async () => {
    const at = await place([calls(call('mcp__everything__trigger-elicitation-request', {})), say('Done.')])
    await put(join(at.data, 'mcp.json'), 'everything', EVERYTHING)
    expect((await approve(at, 'everything', '--let-out')).code).toBe(0)
    const first = await run(at, ['--pause', 'Ask me'])
    expect([first.code, first.stderr]).toEqual([3, expect.stringContaining('--answer ap_')])
    const second = await run(at, ['--pause', '--answer', requestOf(first), 'sign'])
    expect(second.stderr).toBe(
      'The MCP server everything asked a question that nobody could answer. It got the default answers of its form if they were sufficient, otherwise a refusal.\n',
    )
    expect(second.code).toBe(0)
    expect(await asked(at.model, 1)).toContain('declined')
  },
)

test('each run warns that the model gets no tools of an imported server until they are approved', { timeout: 90_000 }, async () => {
  const at = await projectPlace([say('First.'), say('Second.')])
  await mkdir(join(at.cwd, '.vscode'))
  await writeFile(
    join(at.cwd, '.vscode/mcp.json'),
    JSON.stringify({ servers: { tickets: { command: HOSTILE[0], args: HOSTILE.slice(1) } } }),
  )
  expect((await run(at, ['mcp', 'import', 'tickets'])).stdout).toContain('Added: tickets.')
  const before = await run(at, ['Hello'])
  expect(before.stderr).toContain('No tools of these MCP servers are approved, so the model gets none of them: tickets.')
  expect(await asked(at.model, 0)).not.toContain('mcp__tickets__safe')
  const list = await run(at, ['mcp', 'list'])
  expect(list.stdout).toMatch(
    /tickets: running, yours[\s\S]*The model does not get its tools before you approve them\. Hash: [\da-f]{64}[\s\S]*mcp__tickets__safe\n {3}\| A tool/u,
  )
  const [, hash = ''] = /Hash: ([\da-f]{64})/u.exec(list.stdout) ?? []
  expect(await run(at, ['mcp', 'approve', 'tickets', hash])).toMatchObject({ code: 0, stdout: expect.stringContaining('Approved') })
  const after = await run(at, ['Hello'])
  expect(after.stderr).toBe('')
  expect(await asked(at.model, 1)).toContain('mcp__tickets__safe')
})

test(
  'a server in .mcp.json starts only after the user approves it, and needs approval again if its entry changes',
  { timeout: 90_000 },
  async () => {
    const at = await projectPlace([say('First.'), say('Second.'), say('Third.')])
    await put(join(at.cwd, '.mcp.json'), 'tickets', HOSTILE)
    expect((await run(at, ['Hello'])).stderr).toContain('The MCP server tickets of .mcp.json was not started')
    const { screen, code } = await runOnTerminal(['mcp', 'approve', 'tickets'], at, [{ when: 'y or n: ', type: 'y\r' }])
    expect([code, screen]).toEqual([0, expect.stringContaining('mcp__tickets__safe')])
    expect((await run(at, ['Hello'])).stderr).toBe('')
    expect(await asked(at.model, 1)).toContain('mcp__tickets__safe')
    await put(join(at.cwd, '.mcp.json'), 'tickets', [...HOSTILE, 'more'])
    expect((await run(at, ['Hello'])).stderr).toContain('The MCP server tickets of .mcp.json was not started')
    expect(await asked(at.model, 2)).not.toContain('mcp__tickets__safe')
  },
)

test('a task that calls an MCP prompt waits for the server, and an unknown prompt is replaced by an explanation', async () => {
  const at = await projectPlace([say('First.'), say('Second.')])
  await put(join(at.data, 'mcp.json'), 'tickets', HOSTILE)
  await run(at, ['/mcp__tickets__triage 7 with care'])
  expect(await asked(at.model, 0)).toContain('Triage ticket 7 with care')
  await run(at, ['/mcp__tickets__gone 7'])
  expect(await asked(at.model, 1)).toContain('none of the running MCP servers of this folder has such a prompt')
})
