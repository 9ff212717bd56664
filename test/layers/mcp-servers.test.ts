import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { answer, beside, run } from './support/beside.ts'

/** A server whose tool reads one file of its folder and writes another one. */
const SERVER = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } })
  if (method === 'tools/list') send({ id, result: { tools: [{ name: 'note', description: 'Notes', inputSchema: { type: 'object', properties: {} } }] } })
  if (method !== 'tools/call') return
  writeFileSync('noted.txt', 'noted')
  send({ id, result: { content: [{ type: 'text', text: existsSync('layer.txt') ? 'saw ' + readFileSync('layer.txt', 'utf8') : 'saw nothing' }] } })
})
`

describe.skipIf(hasNoCopies)('an MCP server of a session beside the folder', { timeout: 60_000 }, () => {
  it('reads and writes in the layer once one of its tools is called there', async () => {
    const family = await beside(
      ({ round }) => [run('echo work > layer.txt'), calls(call('mcp__notes__note', {})), run('cat noted.txt')][round] ?? say('Done.'),
      ({ folder, data }) => {
        writeFileSync(join(folder, 'server.mjs'), SERVER)
        writeFileSync(
          join(data, 'mcp.json'),
          JSON.stringify({ mcpServers: { notes: { command: process.execPath, args: ['server.mjs'] } } }),
        )
      },
    )
    const { app, folder, parent, model } = family
    app.mcp.start(folder)
    const toApprove = () => app.mcp.state().servers.find(({ name }) => name === 'notes')?.toApprove ?? null
    await expect.poll(toApprove, { timeout: 20_000 }).not.toBeNull()
    expect(app.mcp.approve(folder, 'notes', toApprove() ?? '')).toBe(true)
    parent.running()?.submit('Go')
    await answer(parent, { kind: 'sign' })
    expect(JSON.stringify(model.requests[2]?.body.messages.at(-1))).toContain('saw work')
    expect(JSON.stringify(model.requests[3]?.body.messages.at(-1))).toContain('noted')
    expect([existsSync(join(folder, 'noted.txt')), existsSync(join(folder, 'layer.txt'))]).toEqual([false, false])
  })
})
