import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { RunContext } from '../../main/agent/ports/tool.ts'
import type { App } from '../../main/compose/app.ts'
import { createSignedFiles } from '../../main/environment/copy/guard/control-file-contents.ts'
import { createFolderCopies } from '../../main/host-process/here/folder-copies.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { openFamily } from '../subagents/support/family.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { answer } from './support/beside.ts'

/** A server whose tool reads one file of its folder and writes another one. */
const SERVER = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } })
  if (method === 'tools/list') send({ id, result: { tools: [{ name: 'note', description: 'Notes', inputSchema: { type: 'object', properties: {} } }] } })
  if (method === 'server/discover') send({ id, error: { code: -32601, message: 'unknown' } })
  if (method !== 'tools/call') return
  writeFileSync('noted.txt', 'noted')
  send({ id, result: { content: [{ type: 'text', text: (process.env.NODE_OF ? 'with the node of the ' + process.env.NODE_OF + ': ' : '') + (existsSync('layer.txt') ? 'saw ' + readFileSync('layer.txt', 'utf8') : 'saw nothing') }] } })
})
`

const listed = JSON.stringify({ mcpServers: { notes: { command: process.execPath, args: ['server.mjs'] } } })

async function approve(app: App, folder: string): Promise<void> {
  const toApprove = () => app.mcp.state().servers.find(({ name }) => name === 'notes')?.toApprove ?? null
  app.mcp.start(folder)
  await expect.poll(toApprove, { timeout: 20_000 }).not.toBeNull()
  expect(app.mcp.approve(folder, 'notes', toApprove() ?? '')).toBe(true)
}

it.skipIf(hasNoCopies)(
  'an MCP server of a session in an overlay runs in the layer, and what it changes is a step',
  { timeout: 60_000 },
  async () => {
    const rounds = [calls(call('shell', { command: 'echo work > layer.txt' })), say('Done.'), calls(call('mcp__notes__note', {}))]
    const family = await openFamily(({ round }) => rounds[round] ?? say('Finished.'), {
      mode: 'ask',
      where: { kind: 'beside' },
      watched: true,
      prepare(at) {
        writeFileSync(join(at.folder, 'server.mjs'), SERVER)
        writeFileSync(join(at.data, 'mcp.json'), listed)
      },
    })
    const { app, folder, parent, model } = family
    await family.ask()
    await approve(app, folder)
    const asked = family.ask('Note it')
    await answer(parent, { kind: 'sign' })
    await asked
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('saw work')
    expect(existsSync(join(folder, 'noted.txt'))).toBe(false)
    const changed = parent.snapshot(99).items.flatMap((item) => (item.kind === 'call' ? [item.files.map(({ shown }) => shown)] : []))
    expect(changed).toEqual([['layer.txt'], ['noted.txt']])
  },
)

it.skipIf(hasNoCopies)('a program that is opened in an overlay is the first one in the user’s PATH', { timeout: 60_000 }, async () => {
  const family = await openFamily(({ round }) => (round === 0 ? calls(call('mcp__notes__note', {})) : say('Finished.')), {
    mode: 'ask',
    where: { kind: 'beside' },
    watched: true,
    prepare({ folder, data }) {
      // As an activated virtual environment does. Outside the sandbox, a program of the project would not be used.
      mkdirSync(join(folder, 'bin'))
      writeFileSync(join(folder, 'bin', 'node'), `#!/bin/sh\nexport NODE_OF=project\nexec ${process.execPath} "$@"\n`, { mode: 0o755 })
      vi.stubEnv('PATH', `${join(folder, 'bin')}:${process.env.PATH}`)
      writeFileSync(join(folder, 'server.mjs'), SERVER)
      writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { notes: { command: 'node', args: ['server.mjs'] } } }))
    },
  })
  const { app, folder, parent, model } = family
  await approve(app, folder)
  const asked = family.ask('Note it')
  await answer(parent, { kind: 'sign' })
  await asked
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('with the node of the project')
})

describe.skipIf(hasNoCopies)('an MCP server of a session whose layer is a clone of the folder', { timeout: 60_000 }, () => {
  it('reads and writes in the layer once one of its tools is called there', async () => {
    let dataFolder = ''
    const { app, folder } = await openFamily(() => say('Done.'), {
      mode: 'ask',
      watched: true,
      prepare(at) {
        dataFolder = at.data
        writeFileSync(join(at.folder, 'server.mjs'), SERVER)
        writeFileSync(join(at.data, 'mcp.json'), listed)
      },
    })
    const tree = join(dataFolder, 'tree')
    mkdirSync(tree)
    writeFileSync(join(tree, 'server.mjs'), SERVER)
    writeFileSync(join(tree, 'layer.txt'), 'work')
    await approve(app, folder)
    const copies = createFolderCopies({
      dataFolder,
      folder,
      source: tree,
      signed: createSignedFiles(),
      notes: app.store.notes,
      redactor: app.redactor,
      allowVariables: () => [],
    })
    const { tools, close } = app.mcp.inLayer(folder, { kind: 'copies', copies })
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
