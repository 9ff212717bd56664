import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findProgram } from '../../../main/environment/process/find-program.ts'
import { appOver } from '../../headless/support/app-over.ts'
import { ROOT } from '../../headless/support/agent-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A third-party agent as it is published, set up for a scripted model. */
export interface RealAgent {
  readonly id: string
  readonly program: string
  /** The agent's own tools. */
  write(path: string, content: string): readonly [string, object]
  run(command: string): readonly [string, object]
  /** Replaces text in a file. Some agents must have read the file before. */
  edit(path: string, from: string, to: string): readonly (readonly [string, object])[]
  /** Its settings, by path below its home, and its variables. `url`: the address of the model. */
  files?(url: string): Readonly<Record<string, string>>
  env(url: string, home: string): Readonly<Record<string, string>>
  /** Set if the agent keeps a file of its own for each session. */
  readonly keepsLog?: true
}

const codexConfig = (url: string): string => `model = "fake-1"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
web_search = "disabled"
model_context_window = 1000000
[analytics]
enabled = false
[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`

/** The folder of a Node that is new enough for all agents. */
const NODE = join(ROOT, 'node_modules/node/bin')

const patchOf = (change: string): string => `*** Begin Patch\n${change}\n*** End Patch`

const PI_MODEL = {
  id: 'fake-1',
  name: 'Fake',
  reasoning: false,
  input: ['text'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1_000_000,
  maxTokens: 8192,
}

export const REAL_AGENTS: readonly RealAgent[] = [
  {
    id: 'goose',
    program: 'goose',
    write: (path, content) => ['write', { path, content }],
    run: (command) => ['shell', { command }],
    edit: (path, before, after) => [['edit', { path, before, after }]],
    files: () => ({
      '.config/goose/config.yaml':
        'GOOSE_PROVIDER: openai\nGOOSE_MODEL: fake-1\nGOOSE_TELEMETRY_ENABLED: false\nextensions:\n  developer:\n    bundled: true\n    enabled: true\n    name: developer\n    type: builtin\n    timeout: 300\n',
    }),
    env: (url) => ({ GOOSE_PROVIDER: 'openai', GOOSE_MODEL: 'fake-1', OPENAI_HOST: url, OPENAI_API_KEY: 'x' }),
  },
  {
    id: 'codex',
    keepsLog: true,
    program: 'codex-acp',
    write: (path, content) => ['exec_command', { cmd: `printf %s '${content}' > ${path}` }],
    run: (cmd) => ['exec_command', { cmd }],
    edit: (path, from, to) => [
      ['exec_command', { cmd: `apply_patch <<'EOF'\n${patchOf(`*** Update File: ${path}\n@@\n-${from}\n+${to}`)}\nEOF` }],
    ],
    files: (url) => ({ '.codex/config.toml': codexConfig(url) }),
    env: (_, home) => ({ CODEX_HOME: join(home, '.codex'), FAKE_KEY: 'x', OPENAI_API_KEY: 'x', CODEX_API_KEY: 'x' }),
  },
  {
    id: 'claude',
    keepsLog: true,
    program: 'claude-agent-acp',
    write: (path, content) => ['Write', { file_path: path, content }],
    run: (command) => ['Bash', { command, description: 'Runs it' }],
    edit: (path, from, to) => [
      ['Read', { file_path: path }],
      ['Edit', { file_path: path, old_string: from, new_string: to }],
    ],
    files: () => ({ '.claude.json': JSON.stringify({ hasCompletedOnboarding: true }) }),
    env: (url, home) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'x'.repeat(20),
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
  },
  {
    id: 'gemini',
    keepsLog: true,
    program: 'gemini',
    write: (path, content) => ['write_file', { file_path: path, content }],
    run: (command) => ['run_shell_command', { command }],
    edit: (path, from, to) => [
      ['read_file', { file_path: path }],
      ['replace', { file_path: path, instruction: 'Change it', old_string: from, new_string: to }],
    ],
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      }),
    }),
    // With its own choice of a model, it first asks a smaller one, in a format that the scripted model does not have.
    env: (url) => ({ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: url, GEMINI_TELEMETRY_ENABLED: 'false', GEMINI_MODEL: 'gemini-2.5-pro' }),
  },
  {
    id: 'opencode',
    program: 'opencode',
    write: (path, content) => ['write', { filePath: path, content }],
    run: (command) => ['bash', { command, description: 'Runs it' }],
    edit: (path, from, to) => [
      ['read', { filePath: path }],
      ['edit', { filePath: path, oldString: from, newString: to }],
    ],
    files: (url) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        model: 'fake/fake-1',
        small_model: 'fake/fake-1',
        provider: {
          fake: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Fake',
            options: { baseURL: `${url}/v1`, apiKey: 'x' },
            models: { 'fake-1': { name: 'Fake', tool_call: true, limit: { context: 1_000_000, output: 8192 } } },
          },
        },
      }),
    }),
    env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1', OPENCODE_DISABLE_DEFAULT_PLUGINS: '1' }),
  },
  {
    id: 'qwen',
    keepsLog: true,
    program: 'qwen',
    write: (path, content) => ['write_file', { file_path: path, content }],
    run: (command) => ['run_shell_command', { command, description: 'Runs it', is_background: false }],
    edit: (path, from, to) => [
      ['read_file', { file_path: path }],
      ['edit', { file_path: path, old_string: from, new_string: to }],
    ],
    files: () => ({
      '.qwen/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false, disableAutoUpdate: true, disableUpdateNag: true },
        model: { name: 'fake-1' },
      }),
    }),
    env: (url) => ({ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'fake-1' }),
  },
  {
    id: 'pi',
    keepsLog: true,
    program: 'pi-acp',
    write: (path, content) => ['write', { path, content }],
    run: (command) => ['bash', { command }],
    edit: (path, oldText, newText) => [
      ['read', { path }],
      ['edit', { path, edits: [{ oldText, newText }] }],
    ],
    files: (url) => ({
      '.pi/agent/models.json': JSON.stringify({
        providers: { fake: { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'x', models: [PI_MODEL] } },
      }),
      // It needs a newer Node than the one in the folders of the system.
      '.pi/run-pi': `#!/bin/sh\nexec "${NODE}/node" "${findProgram('pi', process.env['PATH'])}" "$@"\n`,
      '.pi/agent/settings.json': JSON.stringify({
        enableInstallTelemetry: false,
        quietStartup: true,
        defaultProvider: 'fake',
        defaultModel: 'fake-1',
      }),
    }),
    env: (_, home) => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_ACP_PI_COMMAND: join(home, '.pi/run-pi') }),
  },
  {
    id: 'cline',
    keepsLog: true,
    program: 'cline',
    write: (path, content) => ['apply_patch', { input: patchOf(`*** Add File: ${path}\n+${content}`) }],
    run: (command) => ['run_commands', { commands: [command] }],
    edit: (path, from, to) => [['apply_patch', { input: patchOf(`*** Update File: ${path}\n@@\n-${from}\n+${to}`) }]],
    files: (url) => ({
      '.cline/data/settings/providers.json': JSON.stringify({
        version: 1,
        lastUsedProvider: 'openai-compatible',
        modes: {},
        providers: {
          'openai-compatible': {
            settings: { provider: 'openai-compatible', apiKey: 'x', model: 'fake-1', baseUrl: `${url}/v1` },
            updatedAt: '2026-11-30T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      }),
    }),
    env: () => ({ CLINE_API_KEY: 'x', CLINE_PROVIDER: 'openai-compatible', CLINE_MODEL: 'fake-1', CLINE_TELEMETRY_DISABLED: '1' }),
  },
]

/** The path of the agent's program. Null if it is not installed. */
export const installedAgent = ({ program }: RealAgent): string | null => findProgram(program, process.env['PATH'])

/** Writes the agent's settings below `home`. Returns its entry for agents.json, with which it asks only the model at `url`. */
export async function setUp(agent: RealAgent, file: string, home: string, url: string) {
  for (const [path, text] of Object.entries(agent.files?.(url) ?? {})) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
  }
  return {
    command: file,
    env: {
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_DATA_HOME: join(home, '.local/share'),
      ...agent.env(url, home),
      PATH: `${NODE}:/usr/local/bin:/usr/bin:/bin`,
    },
    ports: [Number(new URL(url).port)],
    folders: [home, NODE],
  }
}

/** Opens an app whose only third-party agent is this one, installed in `file`. `url`: the address of its model. */
export async function openWith(agent: RealAgent, file: string, { project, url }: { readonly project: string; readonly url: string }) {
  const data = temporaryFolder('data')
  const home = temporaryFolder('home')
  const own = await setUp(agent, file, home, url)
  await writeFile(join(data, 'agents.json'), JSON.stringify({ agents: { [agent.id]: own } }))
  return { app: await appOver(data, project), home }
}
