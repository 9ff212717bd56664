import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { expandEntry, readServers, variablesOf } from '../../main/mcp/server-entries.ts'
import { foreignServers, importServers } from '../../main/settings/foreign-mcp-servers.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Creates a home, a project and a data folder with these files. */
function places(files: Readonly<Record<string, string>>) {
  const root = temporaryFolder('import')
  const [home, folder, dataFolder] = ['home', 'project', 'data'].map((name) => join(root, name)) as [string, string, string]
  for (const path of [home, folder, dataFolder]) mkdirSync(path)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text.replaceAll('$ROOT', root))
  }
  const own = (): unknown => JSON.parse(readFileSync(join(dataFolder, 'mcp.json'), 'utf8'))
  const kept: Record<string, Readonly<Record<string, string>>> = {}
  const keepSecrets = (name: string, values: Readonly<Record<string, string>>) => Promise.resolve(void (kept[name] = values))
  return { parts: { home, folder, dataFolder, keepSecrets }, own, kept, file: join(dataFolder, 'mcp.json') }
}

const CLAUDE = JSON.stringify({
  mcpServers: { files: { command: 'npx', args: ['-y', 'files'], env: { A: '${A:-1}' } }, old: { type: 'sse', url: 'https://h' } },
  projects: {
    '$ROOT/project': { mcpServers: { files: { command: 'own' }, far: { type: 'http', url: 'https://h/mcp', headersHelper: 'x' } } },
  },
})
const VS_CODE = `{
  // The team's servers.
  "inputs": [{ "type": "promptString", "id": "gh-token", "description": "Token", "password": true }],
  "servers": {
    "gh": { "type": "http", "url": "https://h//mcp", "headers": { "Authorization": "Bearer \${input:gh-token}" }, },
    "db": { "command": "db", "args": ["\${workspaceFolder}/a.db", "\${env:REGION}"], "envFile": ".env" },
  },
}`
const CODEX = `
[mcp_servers.docs]
url = "https://d/mcp"
bearer_token_env_var = "DOCS_TOKEN"
env_http_headers = { "X-Org" = "ORG" }
tool_timeout_sec = 5
enabled_tools = ["a"]
[mcp_servers.run]
command = "run"
env_vars = ["PATH2"]
env = { K = "v" }
[mcp_servers.off]
command = "off"
enabled = false
`
const GEMINI = JSON.stringify({
  mcpServers: {
    web: { httpUrl: 'https://w/$REGION', trust: true },
    sse: { url: 'https://s' },
    local: { command: 'l', env: { K: '${TOKEN}' } },
  },
})

const FILES = {
  'home/.claude.json': CLAUDE,
  'project/.vscode/mcp.json': VS_CODE,
  'home/.codex/config.toml': CODEX,
  'project/.gemini/settings.json': GEMINI,
}

test('servers of Claude Code, VS Code, Codex and Gemini are listed with the variables they need, and each omission has a reason', async () => {
  const { parts } = places(FILES)
  const { files, servers, leftOut } = await foreignServers(parts)
  expect(files).toHaveLength(4)
  expect(servers.map(({ agent, name, target, variables }) => [agent, name, target, variables])).toEqual([
    ['claude-code', 'files', 'own', []],
    ['claude-code', 'far', 'https://h/mcp', []],
    ['vs-code', 'gh', 'https://h//mcp', ['input:gh-token']],
    ['vs-code', 'db', 'db ./a.db ${REGION}', ['REGION']],
    ['codex', 'docs', 'https://d/mcp', ['ORG', 'DOCS_TOKEN']],
    ['codex', 'run', 'run', ['PATH2']],
    ['gemini', 'web', 'https://w/${REGION:-}', ['REGION']],
    ['gemini', 'local', 'l', ['TOKEN']],
  ])
  expect(servers.flatMap(({ name, notTaken }) => notTaken.map(({ what }) => `${name} ${what}`))).toEqual([
    'far headersHelper',
    'db envFile',
    'docs enabled_tools',
    'web trust',
  ])
  expect(leftOut.map(({ what, why }) => [what, why])).toEqual([
    ['old', expect.stringContaining('sse is not supported')],
    ['off', 'It is switched off there.'],
    ['sse', expect.stringContaining('use httpUrl')],
  ])
})

test('the chosen servers are added to the user’s own file, which keeps its content, and if a name is taken, the agent’s name is appended to it', async () => {
  const { parts, own } = places({
    ...FILES,
    'data/mcp.json': '{"note": 1, "mcpServers": {"mine": {"command": "m"}}}',
    'home/.gemini/settings.json': '{"mcpServers": {"run": {"command": "other"}}}',
  })
  const { servers } = await foreignServers(parts)
  const ids = servers.filter(({ name }) => ['docs', 'run'].includes(name)).map(({ id }) => id)
  expect(await importServers(parts, { ids, secrets: 'store' })).toEqual({ ok: true, value: ['docs', 'run', 'run-gemini'] })
  const headers = { 'X-Org': '${ORG}', Authorization: 'Bearer ${DOCS_TOKEN}' }
  expect(own()).toEqual({
    note: 1,
    mcpServers: {
      mine: { command: 'm' },
      docs: { type: 'http', url: 'https://d/mcp', headers, timeout: 5000 },
      run: { type: 'stdio', command: 'run', args: [], env: { PATH2: '${PATH2}', K: 'v' } },
      'run-gemini': { type: 'stdio', command: 'other', args: [], env: {} },
    },
  })
  expect((await foreignServers(parts)).servers.find(({ name }) => name === 'docs')?.isKnown).toBe(true)
})

test('servers with the same name are all added under different names, and variables in a client id or secret are found', async () => {
  const oauth = { clientId: '${APP}', clientSecret: '${APP_SECRET}' }
  const { parts } = places({
    'data/mcp.json': JSON.stringify({ mcpServers: { mine: { type: 'http', url: 'https://m', oauth } } }),
    'home/.gemini/settings.json': '{"mcpServers": {"x": {"command": "one"}}}',
    'home/.codex/config.toml': '[mcp_servers.x]\ncommand = "two"',
    'project/.codex/config.toml': '[mcp_servers.x]\ncommand = "three"',
    'project/.gemini/settings.json': '{"mcpServers": {"x": {"command": "four"}}}',
  })
  const ids = (await foreignServers(parts)).servers.map(({ id }) => id)
  const added = await importServers(parts, { ids, secrets: 'store' })
  expect(added.ok && added.value.toSorted()).toEqual(['x', 'x-codex', 'x-gemini', 'x-gemini-2'])
  const { servers } = readServers(readFileSync(join(parts.dataFolder, 'mcp.json'), 'utf8'), '')
  const mine = servers.find(({ name }) => name === 'mine')
  expect([servers.length, mine && variablesOf(mine.entry).map(({ name }) => name)]).toEqual([5, ['APP', 'APP_SECRET']])
})

test.each([
  ['a server that changed after it was shown', 'data/none', '', 'its entry was changed or removed'],
  ['an mcp.json that is not valid JSON', 'data/mcp.json', '{', 'cannot be changed'],
])('%s is not imported, and the reason is given', async (_, path, text, words) => {
  const { parts, file } = places({ ...FILES, [path]: text })
  const { servers } = await foreignServers(parts)
  if (text === '')
    writeFileSync(join(parts.home, '.claude.json'), CLAUDE.replace('own', 'changed').replaceAll('$ROOT', dirname(parts.home)))
  const done = await importServers(parts, { ids: [servers[0]?.id ?? ''], secrets: 'store' })
  expect(done.ok ? '' : done.failure.what).toContain(words)
  if (text !== '') expect(readFileSync(file, 'utf8')).toBe(text)
})

test('a file that cannot be read is reported, and the others are used', async () => {
  const { parts } = places({ ...FILES, 'home/.codex/config.toml': '[mcp', 'project/.vscode/mcp.json': '{' })
  const { servers, leftOut } = await foreignServers(parts)
  expect(leftOut.filter(({ what }) => what === 'the whole file')).toHaveLength(2)
  expect(new Set(servers.map(({ agent }) => agent))).toEqual(new Set(['claude-code', 'gemini']))
})

const WITH_SECRETS = {
  'home/.claude.json': JSON.stringify({
    mcpServers: {
      db: {
        command: 'db',
        args: ['postgres://postgres:postgres@h/d', '--api-key', 'k-4711', '--token=t-4712', '--size=1', '-e', 'B_TOKEN=t-4719'],
        env: { API_KEY: 'k-4713', REGION: 'eu', OTHER_TOKEN: '${OTHER_TOKEN}', URL: 'https://me:pw-4714@h' },
      },
      far: {
        type: 'http',
        url: 'https://h/mcp?token=u-4715&x=1',
        headers: { Authorization: 'Bearer b-4716', 'X-Api-Key': 'x-4717', Accept: '*/*' },
        oauth: { clientId: 'c', clientSecret: 's-4718' },
      },
    },
  }),
}
const DB_SECRETS = {
  API_KEY: 'k-4713',
  URL: 'pw-4714',
  DB_ARGUMENT_1: 'postgres',
  DB_ARGUMENT_3: 'k-4711',
  DB_ARGUMENT_4: 't-4712',
  DB_ARGUMENT_7: 't-4719',
}
/** Returns these values by the names under which the added entries look them up, such as `input:FAR_URL`. */
const asInputs = (secrets: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(secrets).map(([name, value]) => [`input:${name}`, value]))
const FAR_SECRETS = { FAR_AUTHORIZATION: 'b-4716', FAR_X_API_KEY: 'x-4717', FAR_URL: 'u-4715', FAR_CLIENT_SECRET: 's-4718' }

test('the preview lists values that look like secrets, and the user’s own file gets references to the stored values', async () => {
  const { parts, own, kept } = places(WITH_SECRETS)
  const { servers } = await foreignServers(parts)
  expect(servers.map(({ secrets }) => secrets)).toEqual([Object.keys(DB_SECRETS), Object.keys(FAR_SECRETS)])
  expect(JSON.stringify(servers)).not.toMatch(/-47\d\d/u)
  expect((await importServers(parts, { ids: servers.map(({ id }) => id), secrets: 'store' })).ok).toBe(true)
  expect(kept).toEqual({ db: asInputs(DB_SECRETS), far: asInputs(FAR_SECRETS) })
  const added = readServers(JSON.stringify(own()), '').servers
  const filled = added.map(({ name, entry }) => [name, expandEntry(entry, (variable) => kept[name]?.[variable])])
  expect({ mcpServers: Object.fromEntries(filled) }).toMatchObject(JSON.parse(WITH_SECRETS['home/.claude.json']))
  expect(own()).toEqual({
    mcpServers: {
      db: {
        type: 'stdio',
        command: 'db',
        args: [
          'postgres://postgres:${input:DB_ARGUMENT_1}@h/d',
          '--api-key',
          '${input:DB_ARGUMENT_3}',
          '--token=${input:DB_ARGUMENT_4}',
          '--size=1',
          '-e',
          'B_TOKEN=${input:DB_ARGUMENT_7}',
        ],
        env: { API_KEY: '${input:API_KEY}', REGION: 'eu', OTHER_TOKEN: '${OTHER_TOKEN}', URL: 'https://me:${input:URL}@h' },
      },
      far: {
        type: 'http',
        url: 'https://h/mcp?token=${input:FAR_URL}&x=1',
        headers: { Authorization: 'Bearer ${input:FAR_AUTHORIZATION}', 'X-Api-Key': '${input:FAR_X_API_KEY}', Accept: '*/*' },
        oauth: { clientId: 'c', clientSecret: '${input:FAR_CLIENT_SECRET}' },
      },
    },
  })
})

test.each([
  ['stored in plain text because the user chose so', 'keep', /k-4713/u],
  ['left out because the user will enter them later', 'leave', /\$\{input:API_KEY\}/u],
] as const)('values that look like secrets are %s', async (_, secrets, written) => {
  const { parts, own, kept } = places(WITH_SECRETS)
  const ids = (await foreignServers(parts)).servers.map(({ id }) => id)
  await importServers(parts, { ids, secrets })
  expect(JSON.stringify(own())).toMatch(written)
  expect(kept).toEqual({})
})

test('nothing is imported if secrets cannot be stored', async () => {
  const { parts, file } = places({ ...WITH_SECRETS, 'data/mcp.json': '{}' })
  const ids = (await foreignServers(parts)).servers.map(({ id }) => id)
  const keepSecrets = () => Promise.reject(new Error('The keychain is locked.'))
  const done = await importServers({ ...parts, keepSecrets }, { ids, secrets: 'store' })
  expect(done.ok ? '' : done.failure.what).toContain('The keychain is locked.')
  expect(readFileSync(file, 'utf8')).toBe('{}')
})
