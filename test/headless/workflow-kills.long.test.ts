import { expect, test } from 'vitest'
import type { ScriptedRequest } from '../../main/providers/rehearsal/scripted-answer.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type AgentOutcome, ofKind, runAgent, startAgent } from './support/agent-process.ts'
import { place } from './support/model-place.ts'

const PLAN = { title: 'Two files', steps: ['a', 'b'].map((name) => ({ title: `Write ${name}`, files: [`${name}.txt`] })) }
const write = (name: string) => calls(call('write_file', { file_path: `${name}.txt`, content: `${name}\n` }))

/** Answers from the conversation alone, so that it does not matter which process sends the request. */
function answer({ body }: ScriptedRequest) {
  const said = JSON.stringify(body.messages)
  if (!/Start the work|Continue with the work/u.test(said)) return calls(call('exit_plan_mode', PLAN))
  if (!said.includes('"a.txt"')) return write('a')
  return said.includes('"b.txt"') ? say('Done.') : write('b')
}

type Place = Awaited<ReturnType<typeof place>>
interface State {
  readonly stage: string
  readonly condition: string | null
  readonly plan: { readonly title: string } | null
  readonly pending_action: { readonly type: string; readonly request_id: string } | null
}

/** Runs one process. Kills it once all processes together have printed `left.events` stored events. */
async function run(args: readonly string[], at: Place, left: { events: number }): Promise<AgentOutcome> {
  const { child, outcome } = startAgent(args, at)
  let rest = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString()}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (/^\{"seq":\d/u.test(line) && --left.events === 0) child.kill('SIGKILL')
  })
  return outcome
}

/** Continues like a user who always signs, until the session is completed. */
async function finish(at: Place, session: string, left: { events: number }): Promise<State> {
  for (let turn = 0; turn < 12; turn++) {
    const state = JSON.parse((await runAgent(['state', session, '--json'], at)).stdout) as State
    const { pending_action: pending, stage } = state
    if (stage === 'completed') return state
    if (pending) {
      const note = pending.type === 'exit_plan_mode' ? ['--note', 'No c.'] : []
      await run(['--pause', '--answer', pending.request_id, ...note, 'sign'], at, left)
    } else if ((await run(['--pause', '--continue'], at, left)).code === 1) await run(['--pause', '--continue', 'Make files'], at, left)
  }
  throw new Error('It was not completed.')
}

const BEGIN = ['--course', 'plan', '--mode', 'full', '--pause', 'Make files']

test(
  'a request whose process is killed at any stored event still finishes with the signed plan and condition',
  { timeout: 900_000 },
  async () => {
    const whole = await place(answer)
    const all = { events: Number.MAX_SAFE_INTEGER }
    const first = await run(BEGIN, whole, all)
    await finish(whole, ofKind(first, 'SESSION_START')[0]?.sessionId ?? '', all)
    const count = Number.MAX_SAFE_INTEGER - all.events
    expect(count).toBeGreaterThan(15)
    for (let at = 1; at <= count; at++) {
      const here = await place(answer)
      const left = { events: at }
      const begun = await run(BEGIN, here, left)
      const state = await finish(here, ofKind(begun, 'SESSION_START')[0]?.sessionId ?? '', left)
      expect({ at, condition: state.condition, title: state.plan?.title }).toEqual({ at, condition: 'No c.', title: 'Two files' })
    }
  },
)
