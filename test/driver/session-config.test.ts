import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type SessionRun, sessionRun, sessionRunArguments } from './program/session-run.ts'
import { call, calls, say, type Script, startScriptedModel } from '../support/scripted-model.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Runs a session with these arguments against a scripted model. Returns the run and the requests that the model got. */
async function ran(args: object, script: Script) {
  const folder = temporaryFolder('session-config')
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'sub', 'long.txt'), Array.from({ length: 50 }, (_, line) => `line ${line}\n`).join(''))
  const model = await startScriptedModel(script)
  onTestFinished(() => model.close())
  const given = { provider: 'openai-compatible', model: 'gpt-oss:20b', mode: 'full', baseUrl: `${model.url}/v1`, ...args }
  const run = await sessionRun(folder, sessionRunArguments.parse(given), AbortSignal.timeout(60_000))
  return { run, folder, asked: model.requests.map(({ json }) => JSON.stringify(json)) }
}

const ofKind = ({ events }: SessionRun, kind: string) => events.filter((event) => event.kind === kind)
const read = (path: string) => call('read_file', { file_path: path })

describe('options of a session (P2-07, P2-08, S-04)', () => {
  test('maxToolRoundsPerInput and maxTurns end a turn', async () => {
    const script: Script = ({ index }) => calls(read(`${index}.txt`))
    const rounds = await ran({ maxToolRoundsPerInput: 2 }, script)
    expect([rounds.run.ended, ofKind(rounds.run, 'TURN_LIMIT')]).toEqual([
      'limit',
      [{ kind: 'TURN_LIMIT', reason: 'max_tool_rounds', limit: 2 }],
    ])
    const turns = await ran({ maxTurns: 3 }, script)
    expect(ofKind(turns.run, 'TURN_LIMIT')).toEqual([{ kind: 'TURN_LIMIT', reason: 'max_turns', limit: 3 }])
  })

  test('D-07: by default the library does not limit rounds or turns', async () => {
    const { run } = await ran({}, ({ index }) => (index < 60 ? calls(read(`${index}.txt`)) : say('Done.')))
    expect([run.ended, ofKind(run, 'TURN_LIMIT'), ofKind(run, 'ASSISTANT_TURN').length]).toEqual(['completed', [], 61])
  })

  test('contextWindowSize overrides the known window of the model: warning at 80 %, compaction at 92 %', async () => {
    const used = (tokens: number) => ({ usage: { input: tokens, output: 1 } })
    const script: Script = ({ index }) => say(`Answer ${index}.`, used([500, 850, 930][index] ?? 100))
    const told = await ran({ contextWindowSize: 1000, task: ['One', 'Two', 'Three', 'Four'] }, script)
    expect([ofKind(told.run, 'CONTEXT_WARNING'), ofKind(told.run, 'COMPACTED').length]).toEqual([
      [{ kind: 'CONTEXT_WARNING', usagePercent: 85 }],
      1,
    ])
    const untold = await ran({ task: ['One', 'Two', 'Three', 'Four'] }, script)
    expect(ofKind(untold.run, 'COMPACTED')).toEqual([])
  })

  test('toolOutputLimits and toolLineLimits limit what the model gets from a tool', async () => {
    const script: Script = ({ index }) => (index === 0 ? calls(read('sub/long.txt')) : say('Done.'))
    const chars = await ran({ toolOutputLimits: { read_file: 100 } }, script)
    const lines = await ran({ toolLineLimits: { read_file: 4 } }, script)
    const free = await ran({}, script)
    expect([chars, lines, free].map(({ asked }) => /line 25\b/.test(asked[1] ?? ''))).toEqual([false, false, true])
    expect(lines.asked[1]).toContain('46 lines')
  })

  test('loopDetectionWindow is the number of repeated calls that count as a loop', async () => {
    const script: Script = ({ index }) => (index < 4 ? calls(read(`${index % 2}.txt`)) : say('Done.'))
    const narrow = await ran({ loopDetectionWindow: 4 }, script)
    const normal = await ran({}, script)
    expect([narrow, normal].map(({ run }) => ofKind(run, 'LOOP_DETECTION').length)).toEqual([1, 0])
  })

  test('maxSubagentDepth: 0 offers no subagents, and 2 lets a subagent start others, whose tokens count for all ancestors', async () => {
    const none = await ran({ maxSubagentDepth: 0 }, [say('Done.')])
    const one = await ran({}, [say('Done.')])
    expect([none, one].map(({ asked }) => asked[0]?.includes('"spawn_agent"'))).toEqual([false, true])
    const task = (prompt: string) => call('task', { agent_type: 'code', prompt })
    // The marks are long because the request also contains the folder's name, whose random letters can spell a short word.
    const script: Script = ({ json }) => {
      const said = JSON.stringify(json)
      const usage = { usage: { input: 300, output: 0 } }
      if (said.includes('GRANDCHILD-TASK') && !said.includes('CHILD-OF-PARENT')) return say('Deep.', usage)
      if (said.includes('CHILD-OF-PARENT') && !said.includes('TASK-OF-ROOT'))
        return said.includes('Deep.') ? say('Middle.', usage) : calls(task('GRANDCHILD-TASK'))
      return said.includes('Middle.') ? say('Top.') : calls(task('CHILD-OF-PARENT'))
    }
    const two = await ran({ maxSubagentDepth: 2, task: 'TASK-OF-ROOT' }, script)
    expect([two.run.ended, two.run.text, two.asked.length]).toEqual(['completed', 'Top.', 5])
    const spent = await ran({ maxSubagentDepth: 2, task: 'TASK-OF-ROOT', maxTokens: 400 }, script)
    expect([spent.run.ended, spent.asked.length]).toEqual(['limit', 3])
  })

  test('defaultCommandTimeout, userInstruction, workingDirectory and reasoningEffort take effect', async () => {
    const script: Script = ({ index }) =>
      index === 0 ? calls(call('shell', { command: 'pwd; sleep 20' }), read('long.txt')) : say('Done.')
    const { run, folder, asked } = await ran(
      { defaultCommandTimeout: 2000, userInstruction: 'ALWAYS-SAY-PLEASE', workingDirectory: 'sub', reasoningEffort: 'high' },
      script,
    )
    expect(run.ended).toBe('completed')
    expect(asked[0]).toContain('ALWAYS-SAY-PLEASE')
    expect(asked[0]).toContain('"reasoning_effort":"high"')
    expect(asked[1]).toContain(join(folder, 'sub'))
    expect(asked[1]).toMatch(/2000 ?ms/)
    expect(asked[1]).toContain('line 49')
  })
})
