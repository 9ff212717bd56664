import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandWords } from '../../main/headless/commands/command.ts'
import { mcpCommandOf, type McpCommandParts, runMcpCommand } from '../../main/headless/commands/mcp-command.ts'
import { foreignServers, importServers } from '../../main/settings/foreign-mcp-servers.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Runs a command in a home where Claude Code has a server with a secret. Returns its output and the file that it writes. */
async function run(...argv: readonly string[]): Promise<{ readonly printed: string; readonly written: string }> {
  const root = temporaryFolder('headless-import')
  for (const name of ['home', 'data']) mkdirSync(join(root, name))
  const env = { GITHUB_TOKEN: 'k-4711' }
  writeFileSync(join(root, 'home/.claude.json'), JSON.stringify({ mcpServers: { gh: { command: 'gh-mcp', env } } }))
  const places = { dataFolder: join(root, 'data'), home: join(root, 'home'), folder: null }
  const keepSecrets = () => Promise.reject(new Error('Nothing is stored without a window.'))
  let printed = ''
  const parsed = commandWords(argv)
  const command = parsed && mcpCommandOf(parsed.positionals.slice(1), parsed.values)
  if (!command?.ok) throw new Error('These arguments are not a command.')
  const parts = {
    write: (text: string) => void (printed += text),
    foreign: {
      preview: () => foreignServers(places),
      add: (chosen: Parameters<typeof importServers>[1]) => importServers({ ...places, keepSecrets }, chosen),
    },
  } as unknown as McpCommandParts
  const code = await runMcpCommand(command.value, parts)
  expect(code).toBe(0)
  return { printed, written: argv.length > 2 ? readFileSync(join(root, 'data/mcp.json'), 'utf8') : '' }
}

test('the list of servers to import says which values look like secrets, without showing them', async () => {
  const { printed } = await run('mcp', 'import')
  expect(printed).toContain('values that look like secrets, not copied without --keep-secrets: GITHUB_TOKEN')
  expect(printed).not.toContain('4711')
})

test('an import without a window copies no value that looks like a secret, and says how to set it', async () => {
  const { printed, written } = await run('mcp', 'import', 'gh')
  expect(printed).toMatch(/Added: gh\.[^]*Not copied, because it looks like a secret: GITHUB_TOKEN of gh\. Store a value in a window/u)
  expect(written).toContain('"GITHUB_TOKEN": "${input:GITHUB_TOKEN}"')
})

test('with --keep-secrets, values that look like secrets are copied in clear text', async () => {
  const { printed, written } = await run('mcp', 'import', 'gh', '--keep-secrets')
  expect(printed).not.toContain('Not copied')
  expect(written).toContain('"GITHUB_TOKEN": "k-4711"')
})
