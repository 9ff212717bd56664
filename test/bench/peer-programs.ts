import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** One command-line agent and how it is started on a scripted model. */
export interface Program {
  readonly name: string
  /** Writes the program's configuration below `home`. Returns the command and the variables it needs. */
  prepare(home: string, url: string): { readonly command: readonly string[]; readonly env: Readonly<Record<string, string>> }
}

const TASK = 'Follow the scripted tool calls.'

/** `options`: options of Node. */
const countersign = (name: string, script: string, options: readonly string[] = []): Program => ({
  name,
  prepare: (home, url) => ({
    command: [
      process.execPath,
      ...options,
      script,
      '--data',
      join(home, 'data'),
      '--provider',
      'openai',
      '--model',
      'bench',
      '--base-url',
      url,
      '--approve',
      'all',
      '--json',
      TASK,
    ],
    env: { OPENAI_API_KEY: 'bench-not-a-key' },
  }),
})

/** The name of the older build. It is shown beside ours, but is no peer. */
export const BEFORE = 'before'

const codex = (program: string): Program => ({
  name: 'Codex',
  prepare(home, url) {
    const lines = [
      'model = "bench"',
      'model_provider = "bench"',
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      'check_for_update_on_startup = false',
      'web_search = "disabled"',
      '[analytics]',
      'enabled = false',
      '[model_providers.bench]',
      'name = "bench"',
      `base_url = "${url}"`,
      'env_key = "BENCH_KEY"',
      'wire_api = "responses"',
    ]
    put(join(home, '.codex'), 'config.toml', lines.join('\n'))
    const command = [program, 'exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '--json', TASK]
    return { command, env: { CODEX_HOME: join(home, '.codex'), BENCH_KEY: 'bench-not-a-key' } }
  },
})

const pi = (script: string): Program => ({
  name: 'pi',
  prepare(home, baseUrl) {
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
    const model = { id: 'bench', name: 'Bench', reasoning: false, input: ['text'], cost, contextWindow: 1_000_000, maxTokens: 8192 }
    const bench = { baseUrl, api: 'openai-responses', apiKey: 'bench-not-a-key', models: [model] }
    put(join(home, '.pi/agent'), 'models.json', JSON.stringify({ providers: { bench } }))
    const flags = ['-p', '--mode', 'json', '--provider', 'bench', '--model', 'bench', '--offline', '--approve', '--', TASK]
    return { command: [process.execPath, script, ...flags], env: { PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' } }
  },
})

function put(folder: string, file: string, content: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, file), content)
}

/**
 * Our built agent, and what is installed below `folder`: an older build of ours in `before`, and the peers `@openai/codex` in `codex` and
 * `@earendil-works/pi-coding-agent` in `pi`.
 */
export function programs(folder: string | undefined): readonly Program[] {
  // The option of `npm run agent` and of the installed launcher.
  const ours = countersign('Countersign', join(import.meta.dirname, '../../dist/main/run.js'), ['--min-semi-space-size=4'])
  if (folder === undefined) return [ours]
  const others = [
    { path: 'before/dist/main/run.js', program: (script: string) => countersign(BEFORE, script) },
    { path: 'codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex', program: codex },
    { path: 'pi/node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js', program: pi },
  ].map(({ path, program }) => ({ path: join(folder, path), program }))
  return [ours, ...others.filter(({ path }) => existsSync(path)).map(({ path, program }) => program(path))]
}
