import { execFileSync } from 'node:child_process'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ofKind, runAgent } from '../headless/support/agent-process.ts'
import { type Script, startScriptedModel } from '../support/scripted-model.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

export const FOREIGN = join(import.meta.dirname, '../fixtures/foreign')

/** What one run of the headless shell sent, printed and left behind. It ran in a copy of someone's project with a copy of their home. */
export interface ForeignRun {
  readonly code: number | null
  /** Body of each request, as text. */
  readonly requests: readonly string[]
  /** Request bodies of the subagents in one text. Subagents run in parallel, so their order differs from run to run. */
  readonly subagents: string
  /** Outputs of the calls, as the model or the user gets them. */
  readonly outputs: string
  /** The messages to the user: standard error and warnings. */
  readonly told: string
  /** Content of the project's `hook.log`. Empty if there is no such file. */
  readonly log: string
}

const KEYS = { anthropic: 'ANTHROPIC', openai: 'OPENAI', gemini: 'GEMINI' } as const

/** Runs the task with these unchanged files. `agent`: the agent for which the project and the home were written. */
export async function foreignRun(
  agent: 'claude' | 'codex' | 'gemini',
  provider: keyof typeof KEYS,
  script: Script,
  args: readonly string[],
): Promise<ForeignRun> {
  const cwd = temporaryFolder('project')
  const home = temporaryFolder('home')
  const data = temporaryFolder('data')
  await cp(join(FOREIGN, `${agent}-project`), cwd, { recursive: true })
  await cp(join(FOREIGN, `${agent}-home`), home, { recursive: true })
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=K', '-c', 'user.email=k@example.org', ...words], { cwd })
  git('init', '-q', '-b', 'checkout')
  git('add', '.')
  git('commit', '-qm', 'first')
  const model = await startScriptedModel(script)
  try {
    const env = {
      HOME: home,
      USERPROFILE: home,
      [`${KEYS[provider]}_API_KEY`]: 'sk-test-canary-0123456789',
      [`${KEYS[provider]}_BASE_URL`]: provider === 'openai' ? `${model.url}/v1` : model.url,
    }
    const run = await runAgent(['--provider', provider, ...args], { cwd, data, env })
    const requests = model.requests.map(({ bytes }) => Buffer.from(bytes).toString())
    return {
      code: run.code,
      requests,
      subagents: requests.filter((body) => body.includes('You are a subagent of Countersign')).join('\n'),
      outputs: ofKind(run, 'TOOL_CALL_END')
        .map(({ output, modelText }) => (typeof modelText === 'string' ? modelText : output))
        .join('\n'),
      told: [
        run.stderr,
        ...ofKind(run, 'WARNING').map(({ trouble }) => trouble.what),
        ...ofKind(run, 'ERROR').map(({ error }) => error.what),
      ].join('\n'),
      log: await readFile(join(cwd, 'hook.log'), 'utf8').catch(() => ''),
    }
  } finally {
    await model.close()
  }
}
