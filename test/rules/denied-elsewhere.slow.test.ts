import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Rule } from '../../shared/api/rules.ts'
import { openDesk } from '../api/support/served-desk.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { type AgentOutcome, runAgent } from '../headless/support/agent-process.ts'
import { asked, place } from '../headless/support/model-place.ts'
import { call, calls, say, type Script } from '../support/scripted-model.ts'

const DENIED: Rule = {
  id: 'r1',
  answer: 'deny',
  when: { kind: 'path', pattern: 'secret/**' },
  where: { kind: 'always' },
  isOn: true,
  origin: 'you',
  addedAt: 1,
  uses: 0,
  lastUsedAt: null,
}

/** A project with a file that a rule of the user denies. */
async function projectWithDenied(script: Script = [say('Done.')]) {
  const at = await place(script)
  await mkdir(join(at.cwd, 'secret'))
  await writeFile(join(at.cwd, 'secret/x.md'), 'TOP-SECRET\n')
  await writeFile(join(at.cwd, 'a.txt'), 'hello\n')
  await writeFile(join(at.data, 'rules.json'), JSON.stringify({ version: 1, rules: [DENIED] }))
  return at
}

const everythingIn = ({ stdout, stderr }: AgentOutcome): string => stdout + stderr

describe.skipIf(hasNoCopies)('files that a rule denies', { timeout: 60_000 }, () => {
  test('are not shown by a hook that runs confined', async () => {
    const at = await projectWithDenied([calls(call('read_file', { file_path: 'a.txt' })), say('Done.')])
    const command = 'cat secret/x.md a.txt >&2; exit 2'
    await writeFile(join(at.data, 'hooks.json'), JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } }))
    const run = await runAgent(['--approve', 'all', 'Read it'], at)
    expect(everythingIn(run)).toContain('hello')
    expect(everythingIn(run)).not.toContain('TOP-SECRET')
    expect(await asked(at.model, 1)).not.toContain('TOP-SECRET')
  })

  test('are not shown by an MCP server that runs confined', async () => {
    const at = await projectWithDenied()
    const server = { command: 'sh', args: ['-c', 'cat secret/x.md a.txt > shown; exit 1'] }
    await writeFile(join(at.data, 'mcp.json'), JSON.stringify({ mcpServers: { reader: server } }))
    const run = await runAgent(['mcp', 'list'], at)
    expect(run.stdout).toContain('reader: failed')
    expect(await readFile(join(at.cwd, 'shown'), 'utf8')).toBe('hello\n')
  })

  test('are hidden from a running MCP server, which is started again when the rule is added', async () => {
    const desk = await openDesk([say('Hello.')])
    await mkdir(join(desk.folder, 'secret'))
    await writeFile(join(desk.folder, 'secret/x.md'), 'TOP-SECRET\n')
    const server = { command: 'sh', args: ['-c', 'cat secret/x.md > shown; echo end >> shown; exec sleep 60'] }
    await writeFile(join(desk.data, 'mcp.json'), JSON.stringify({ mcpServers: { reader: server } }))
    const sessionId = await desk.session()
    await desk.client.sessions.send({ sessionId, inputId: 'i', text: 'Hello', delivery: 'queue', pictures: [] })
    const shown = (): Promise<string> => readFile(join(desk.folder, 'shown'), 'utf8').catch(() => '')
    await expect.poll(shown, { timeout: 30_000 }).toBe('TOP-SECRET\nend\n')
    const { answer, when, where } = DENIED
    expect(await desk.client.rules.add({ rules: [{ answer, when, where }], origin: 'you' })).toEqual({ ok: true })
    await expect.poll(shown, { timeout: 30_000 }).toBe('end\n')
  })

  test('are not imported by instructions of the project', async () => {
    const at = await projectWithDenied()
    await writeFile(join(at.cwd, 'CLAUDE.md'), 'Read @a.txt and @secret/x.md\n')
    await runAgent(['Hello'], at)
    const request = await asked(at.model, 0)
    expect(request).toContain('hello')
    expect(request).not.toContain('TOP-SECRET')
  })
})
