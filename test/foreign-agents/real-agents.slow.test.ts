import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bringIn } from '../../main/layers/bring-in-session.ts'
import { findProgram } from '../../main/environment/process/find-program.ts'
import type { OpenedSession } from '../../main/sessions/opened-session.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { appOver } from '../headless/support/app-over.ts'
import { temporaryFolder } from '../headless/support/agent-process.ts'
import { call, calls, say, startScriptedModel, type ScriptedModel } from '../support/scripted-model.ts'
import { changesByStep, eventsOf, saidIn, send, startWith } from './support/agent-place.ts'

interface RealAgent {
  readonly id: string
  readonly program: string
  /** The agent's own tools. */
  write(path: string, content: string): readonly [string, object]
  run(command: string): readonly [string, object]
  /** Its settings, by path below its home, and its variables. `url`: the address of the model. */
  files?(url: string): Readonly<Record<string, string>>
  env(url: string, home: string): Readonly<Record<string, string>>
  /** Set if the agent must be restarted before the third turn, because with a scripted model it does not answer a second message. */
  readonly isRestarted?: true
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

const AGENTS: readonly RealAgent[] = [
  {
    id: 'goose',
    program: 'goose',
    write: (path, content) => ['write', { path, content }],
    run: (command) => ['shell', { command }],
    files: () => ({
      '.config/goose/config.yaml':
        'GOOSE_PROVIDER: openai\nGOOSE_MODEL: fake-1\nGOOSE_TELEMETRY_ENABLED: false\nextensions:\n  developer:\n    bundled: true\n    enabled: true\n    name: developer\n    type: builtin\n    timeout: 300\n',
    }),
    env: (url) => ({ GOOSE_PROVIDER: 'openai', GOOSE_MODEL: 'fake-1', OPENAI_HOST: url, OPENAI_API_KEY: 'x' }),
  },
  {
    id: 'codex',
    program: 'codex-acp',
    write: (path, content) => ['exec_command', { cmd: `printf %s '${content}' > ${path}` }],
    run: (cmd) => ['exec_command', { cmd }],
    files: (url) => ({ '.codex/config.toml': codexConfig(url) }),
    env: (_, home) => ({ CODEX_HOME: join(home, '.codex'), FAKE_KEY: 'x', OPENAI_API_KEY: 'x', CODEX_API_KEY: 'x' }),
  },
  {
    id: 'claude',
    program: 'claude-agent-acp',
    write: (path, content) => ['Write', { file_path: path, content }],
    run: (command) => ['Bash', { command, description: 'Runs it' }],
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
    isRestarted: true,
    program: 'gemini',
    write: (path, content) => ['write_file', { file_path: path, content }],
    run: (command) => ['run_shell_command', { command }],
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      }),
    }),
    env: (url) => ({ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: url, GEMINI_TELEMETRY_ENABLED: 'false' }),
  },
  {
    id: 'opencode',
    program: 'opencode',
    write: (path, content) => ['write', { filePath: path, content }],
    run: (command) => ['bash', { command, description: 'Runs it' }],
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
]

const WRITTEN = 'written by its own tool'
const COMMAND = 'echo from-a-command > made.txt'

for (const agent of AGENTS) {
  const file = findProgram(agent.program, process.env['PATH'])
  if (file === null) process.stderr.write(`Skipped: ${agent.program} is not installed.\n`)
  test.skipIf(file === null || hasNoCopies)(
    `${agent.id}: two turns in the layer with a change set per call, resumed in between; the folder gets what was signed`,
    { timeout: 400_000 },
    async () => {
      const project = await temporaryFolder('project')
      const data = await temporaryFolder('data')
      const home = await temporaryFolder('home')
      const model = await scriptedFor(agent, project)
      for (const [path, text] of Object.entries(agent.files?.(model.url) ?? {})) {
        await mkdir(dirname(join(home, path)), { recursive: true })
        await writeFile(join(home, path), text)
      }
      const node = dirname(process.execPath)
      const own = {
        command: file,
        env: {
          HOME: home,
          XDG_CONFIG_HOME: join(home, '.config'),
          XDG_DATA_HOME: join(home, '.local/share'),
          ...agent.env(model.url, home),
          PATH: `${node}:/usr/local/bin:/usr/bin:/bin`,
        },
        ports: [Number(new URL(model.url).port)],
        folders: [home, node],
      }
      await writeFile(join(data, 'agents.json'), JSON.stringify({ agents: { [agent.id]: own } }))
      const app = await appOver(data, project)
      const first = await startWith(app, project, agent.id)
      await send(first, 'ONE: write new.txt')
      expect(eventsOf(first, 'ERROR')).toEqual([])
      expect(changesByStep(first).map(([, files]) => files)).toEqual([['+new.txt']])
      await app.sessions.discard(first.sessionId)

      const opened = await app.sessions.open(first.sessionId)
      if (!opened.ok) throw new Error(opened.failure.what)
      let session = opened.value
      await send(session, 'TWO: run the command')
      expect(eventsOf(session, 'ERROR')).toEqual([])
      expect(changesByStep(session).map(([, files]) => files)).toEqual([['+new.txt'], ['+made.txt']])
      expect(saidIn(session)).toContain('All done.')

      if (agent.isRestarted) await app.sessions.discard(first.sessionId)
      const third = await app.sessions.open(first.sessionId)
      if (!third.ok) throw new Error(third.failure.what)
      session = third.value
      await send(session, 'THREE: first one, then the other')
      expect(eventsOf(session, 'ERROR')).toEqual([])
      expect(changesByStep(session).map(([, files]) => files)).toEqual([['+new.txt'], ['+made.txt'], ['+first.txt'], ['+other.txt']])
      expect(barriersOf(session)).not.toContain('report')
      process.stderr.write(`${agent.id}: ${barriersOf(session).join(', ')}; ${JSON.stringify(session.record.state().usage)}\n`)
      expect(await readdir(project)).toEqual([])

      const asked = await bringIn(app, session.sessionId, AbortSignal.timeout(60_000))
      if (!asked.ok) throw new Error(asked.failure.what)
      const [request] = eventsOf(asked.value.session, 'APPROVAL_REQUESTED')
      if (request) await asked.value.session.answer({ ...request, answer: { kind: 'sign' }, from: 'terminal' })
      await asked.value.session.running()?.idle()
      expect((await readdir(project)).toSorted()).toEqual(['first.txt', 'made.txt', 'new.txt', 'other.txt'])
      expect(await readFile(join(project, 'new.txt'), 'utf8')).toContain(WRITTEN)
    },
  )
}

/** For each step with changes: what kept the agent from going on while they were read. */
function barriersOf(session: OpenedSession): readonly unknown[] {
  const changed = new Set(eventsOf(session, 'FILES_CHANGED').map(({ toolCallId }) => toolCallId))
  return eventsOf(session, 'TOOL_CALL_END').flatMap(({ toolCallId, details }) =>
    changed.has(toolCallId) ? [(details as { readonly readAt?: string } | null)?.readAt] : [],
  )
}

/** Agents also make requests of their own, for example for a title, so the answer depends on what the request contains. */
async function scriptedFor(agent: RealAgent, project: string): Promise<ScriptedModel> {
  const model = await startScriptedModel(({ bytes }) => {
    const body = Buffer.from(bytes).toString()
    const [write, written] = agent.write(join(project, 'new.txt'), WRITTEN)
    const [run, ran] = agent.run(COMMAND)
    if (!body.includes(`"${write}"`)) return say('A title')
    if (body.includes('THREE: first')) {
      const name = body.includes('from-the-first') ? 'other' : 'first'
      const [tool, args] = agent.run(`echo from-the-${name} > ${name}.txt`)
      return body.includes('from-the-other') ? say('All done.') : calls(call(tool, { ...args }))
    }
    if (body.includes('TWO: run the command')) return body.includes('from-a-command') ? say('All done.') : calls(call(run, { ...ran }))
    return body.includes(WRITTEN) ? say('All done.') : calls(call(write, { ...written }))
  })
  onTestFinished(() => model.close())
  return model
}
