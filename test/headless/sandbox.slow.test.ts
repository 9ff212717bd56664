import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasNoCopies, treeOf } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type AgentOutcome, ofKind, runAgent } from './support/agent-process.ts'
import { asked, place } from './support/model-place.ts'
import { pathWithoutBubblewrap } from './support/path-without-bubblewrap.ts'

/** Runs an agent that calls one command, in a folder with `a.txt`. */
async function running(command: string) {
  const at = await place([calls(call('shell', { command })), say('Done.')])
  await writeFile(join(at.cwd, 'a.txt'), 'hello\n')
  return { ...at, before: treeOf(at.cwd), file: () => readFile(join(at.cwd, 'a.txt'), 'utf8') }
}

/** Returns what the JSON lines say about where each command ran. */
const waysIn = ({ stdout }: AgentOutcome): readonly unknown[] =>
  stdout
    .trimEnd()
    .split('\n')
    .flatMap((line) => (JSON.parse(line) as { ran?: string }).ran ?? [])

// These tests need bubblewrap. `hasNoCopies` prints the reason for the skip.
describe.skipIf(hasNoCopies)('commands of the headless shell in copies', { timeout: 60_000 }, () => {
  test('run without approval when they change nothing, although nobody can sign', async () => {
    const at = await running('cat a.txt')
    const outcome = await runAgent(['Do it'], at)
    expect([outcome.code, ofKind(outcome, 'APPROVAL_REQUESTED')]).toEqual([0, []])
    expect(ofKind(outcome, 'TOOL_CALL_END')[0]?.output).toContain('hello')
    expect(ofKind(outcome, 'COPY_STARTED')[0]?.effects).toMatchObject([{ kind: 'command', sandbox: 'copy' }])
    expect(waysIn(outcome)).toEqual(['copy'])
    expect(await asked(at.model, 0)).toContain('Commands of bash and shell run in a copy of the project')
  })

  test('cannot change the folder if nobody can sign, but the agent gets their output', async () => {
    const at = await running('echo printed; echo more >> a.txt')
    const outcome = await runAgent(['Do it'], at)
    expect(treeOf(at.cwd)).toEqual(at.before)
    expect(ofKind(outcome, 'TOOL_CALL_END')[0]?.outcome).toBe('refused')
    expect(await asked(at.model, 1)).toMatch(/printed.*were not applied/u)
  })

  test.each([[[]], [['--pause']]])(
    'continue if nobody can be asked about a host: it is refused, and the agent hears which one (%j)',
    async (pause) => {
      const at = await running('curl -sS -m 20 http://example.org/; echo went on')
      const outcome = await runAgent([...pause, '--approve', 'edits', 'Do it'], at)
      expect(outcome.code).toBe(0)
      expect(ofKind(outcome, 'APPROVAL_ANSWERED')).toMatchObject([{ answer: { kind: 'refused', by: 'flag' } }])
      expect(ofKind(outcome, 'COPY_ENDED')).toMatchObject([{ exitCode: 0, blocked: ['example.org:80'] }])
      expect(await asked(at.model, 1)).toMatch(/went on.*could not reach example\.org:80/u)
    },
  )

  test('change the folder with --approve edits, and the output reports the changes', async () => {
    const at = await running('echo more >> a.txt')
    const outcome = await runAgent(['--approve', 'edits', 'Do it'], at)
    expect([outcome.code, await at.file()]).toEqual([0, 'hello\nmore\n'])
    const kinds = outcome.events.map(({ kind }) => kind)
    const steps = ['COPY_STARTED', 'COPY_ENDED', 'TOOL_EXECUTION_START', 'FILES_CHANGED', 'TOOL_CALL_END'] as const
    expect(kinds.filter((kind) => steps.some((step) => step === kind))).toEqual(steps)
    expect(ofKind(outcome, 'TOOL_EXECUTION_START')[0]?.effects).toMatchObject([
      { kind: 'command', sandbox: 'copy' },
      { kind: 'write', shown: 'a.txt' },
    ])
  })

  test.each(['ask', 'accept-edits', 'auto'])('need approval before they run in %s mode if --sandbox is off', async (mode) => {
    const at = await running('echo more >> a.txt')
    const outcome = await runAgent(['--sandbox', 'off', '--mode', mode, 'Do it'], at)
    expect([ofKind(outcome, 'COPY_STARTED'), treeOf(at.cwd)]).toEqual([[], at.before])
    const [request] = ofKind(outcome, 'APPROVAL_REQUESTED')
    expect(request?.effects).toHaveLength(1)
    expect(request?.effects[0]).not.toHaveProperty('sandbox')
    expect(await asked(at.model, 0)).not.toContain('in a copy of the project')
  })

  test.each([
    [['--approve', 'edits'], { command: 'echo x > a.txt' }, ['copy', 'copy']],
    [['--approve', 'all'], { command: 'echo x > a.txt' }, ['real']],
    [['--mode', 'auto'], { command: 'true', run_in_background: true }, ['confined']],
    [['--approve', 'edits', '--sandbox', 'off'], { command: 'cat a.txt' }, ['real']],
  ])('say in JSON lines how they run: %j, %j', async (options, args, ways) => {
    const at = await place([calls(call('shell', args)), say('Done.')])
    await writeFile(join(at.cwd, 'a.txt'), 'hello\n')
    expect(waysIn(await runAgent([...options, 'Do it'], at))).toEqual(ways)
  })

  test('run in a copy with --sandbox require even if everything may run for real', async () => {
    const at = await running('echo more >> a.txt; echo x > /var/tmp/countersign-never')
    const outcome = await runAgent(['--sandbox', 'require', '--approve', 'all', 'Do it'], at)
    expect([outcome.code, await at.file()]).toEqual([0, 'hello\nmore\n'])
    expect(ofKind(outcome, 'COPY_STARTED')).toHaveLength(1)
    expect(await asked(at.model, 0)).toContain('Commands in the background are confined to the project.')
    expect(existsSync('/var/tmp/countersign-never')).toBe(false)
  })

  test.each(['auto', 'require'])('without bubblewrap, --sandbox %s never runs an unsigned command', async (when) => {
    const at = await running('echo more >> a.txt')
    const env = { ...at.env, PATH: await pathWithoutBubblewrap(at.data) }
    const outcome = await runAgent(['--sandbox', when, '--mode', 'accept-edits', 'Do it'], { ...at, env })
    expect([ofKind(outcome, 'COPY_STARTED'), treeOf(at.cwd)]).toEqual([[], at.before])
    if (when === 'require') {
      expect([outcome.code, at.model.requests.length]).toEqual([1, 0])
      expect(outcome.stderr).toMatch(/--sandbox require.*bubblewrap/su)
    } else expect(ofKind(outcome, 'APPROVAL_REQUESTED')[0]?.effects).toMatchObject([{ kind: 'command', command: 'echo more >> a.txt' }])
  })
})
