import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RunContext } from '../../main/agent/ports/tool.ts'
import { createFolderCopies } from '../../main/compose/folder-copies.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { openFamily } from '../subagents/support/family.ts'
import { say } from '../support/scripted-model.ts'

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

describe.skipIf(hasNoCopies)('an MCP server of a session whose layer is a clone of the folder', { timeout: 60_000 }, () => {
  it('reads and writes in the layer once one of its tools is called there', async () => {
    let dataFolder = ''
    const { app, folder } = await openFamily(() => say('Done.'), {
      mode: 'ask',
      watched: true,
      prepare(at) {
        dataFolder = at.data
        writeFileSync(join(at.folder, 'server.mjs'), SERVER)
        writeFileSync(
          join(at.data, 'mcp.json'),
          JSON.stringify({ mcpServers: { notes: { command: process.execPath, args: ['server.mjs'] } } }),
        )
      },
    })
    const tree = join(dataFolder, 'tree')
    mkdirSync(tree)
    writeFileSync(join(tree, 'server.mjs'), SERVER)
    writeFileSync(join(tree, 'layer.txt'), 'work')
    app.mcp.start(folder)
    const toApprove = () => app.mcp.state().servers.find(({ name }) => name === 'notes')?.toApprove ?? null
    await expect.poll(toApprove, { timeout: 20_000 }).not.toBeNull()
    expect(app.mcp.approve(folder, 'notes', toApprove() ?? '')).toBe(true)
    const copies = createFolderCopies({
      dataFolder,
      folder,
      source: tree,
      notes: app.store.notes,
      redactor: app.redactor,
      allowVariables: () => [],
    })
    const { tools, close } = app.mcp.inLayer(folder, { copies })
    const prepared = await tools()[0]?.tool.prepare({}, {} as never)
    if (prepared?.kind !== 'ready') throw new Error('The tool is not ready.')
    const context = { signal: AbortSignal.timeout(30_000), progress() {}, ask: () => Promise.resolve(null) }
    expect((await prepared.commit(context as unknown as RunContext)).output).toContain('saw work')
    expect([existsSync(join(tree, 'noted.txt')), existsSync(join(folder, 'noted.txt'))]).toEqual([true, false])
    expect(tools()).toBe(tools())
    await close()
    await copies.cleanup()
  })
})
