import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSession } from '../../main/agent/session.ts'
import { countChangedLinesInSlices } from '../../main/changes/count-changed-lines.ts'
import { createSessionTools } from '../../main/tools/create-tools.ts'
import type { Hook } from '../../shared/session/hooks.ts'
import { answerCall, type RigOptions, waiting } from '../agent/support/rig.ts'
import { heard, only, read, resultsOf, rigFor, said, type Scripted, shell, write } from '../agent/support/scripted-rig.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { manualClock } from '../support/manual-clock.ts'
import { hook } from './support/hook.ts'

async function ran(script: Parameters<typeof rigFor>[0], hooks: readonly Hook[], options: RigOptions = {}): Promise<Scripted> {
  const scripted = await rigFor(script, { mode: 'full', hooks, ...options })
  scripted.rig.session.submit('go')
  await scripted.rig.session.idle()
  return scripted
}

const answer = (json: object): string => `cat > /dev/null; echo '${JSON.stringify(json)}'`
const decision = (permissionDecision: string, more: object = {}): string =>
  answer({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason: 'because', ...more } })

describe('hooks before a tool', () => {
  test('a hook gets the call with Claude Code’s tool and argument names', async () => {
    const { rig } = await ran(
      [calls(write('a.txt', 'x')), say('Done.')],
      [hook('PreToolUse', 'cat > seen.json; echo "$CLAUDE_PROJECT_DIR $COUNTERSIGN_PROJECT_DIR" > dir')],
    )
    expect(JSON.parse(readFileSync(join(rig.folder, 'seen.json'), 'utf8'))).toEqual({
      session_id: rig.sessionId,
      transcript_path: '',
      cwd: rig.folder,
      permission_mode: 'bypassPermissions',
      hook_event_name: 'PreToolUse',
      tool_name: 'Write',
      tool_input: { file_path: join(rig.folder, 'a.txt'), content: 'x' },
      tool_use_id: expect.any(String),
    })
    expect(readFileSync(join(rig.folder, 'dir'), 'utf8').trim()).toBe(`${rig.folder} ${rig.folder}`)
    expect(readFileSync(join(rig.folder, 'a.txt'), 'utf8')).toBe('x')
  })

  test.each([
    ['exit code 2', 'echo because >&2; exit 2'],
    ['JSON', decision('deny')],
  ])('a denial by %s: nothing happens, and the model and the ledger get the reason', async (_, command) => {
    const { rig, provider } = await ran([calls(write('a.txt', 'x')), say('Done.')], [hook('PreToolUse', command, 'Write')])
    expect(existsSync(join(rig.folder, 'a.txt'))).toBe(false)
    expect(resultsOf(provider.requests[1])).toEqual([['error', 'A hook blocked this call: because Nothing was executed.']])
    const notice = rig.replay().items.find(({ kind }) => kind === 'notice')
    expect(notice).toMatchObject({ trouble: { code: 'hook_ran', what: expect.stringContaining('blocked this: because') } })
  })

  test('a hook that fails, or times out, makes the step wait for a signature even in full mode', async () => {
    for (const failing of [hook('PreToolUse', 'exit 1'), hook('PreToolUse', 'sleep 30', '', 50), hook('PreToolUse', '/no/such/program')]) {
      const { rig } = await rigFor([calls(write('a.txt', 'x')), say('Done.')], { mode: 'full', hooks: [failing] })
      rig.session.submit('go')
      const [asked] = await waiting(rig.session)
      expect(asked?.approval?.reason).toContain('A hook failed')
      answerCall(rig.session, asked)
      await rig.session.idle()
      expect(readFileSync(join(rig.folder, 'a.txt'), 'utf8')).toBe('x')
    }
  })

  test('a hook’s changed arguments are used, but a path outside the folder still needs approval', async () => {
    const changed = (path: string): Hook =>
      hook('PreToolUse', decision('allow', { updatedInput: { file_path: path, content: 'by the hook' } }))
    const inside = await ran([calls(write('a.txt', 'x')), say('Done.')], [changed('b.txt')])
    expect([existsSync(join(inside.rig.folder, 'a.txt')), readFileSync(join(inside.rig.folder, 'b.txt'), 'utf8')]).toEqual([
      false,
      'by the hook',
    ])
    const { rig } = await rigFor([calls(write('a.txt', 'x')), say('Done.')], { mode: 'full', hooks: [changed('../outside.txt')] })
    rig.session.submit('go')
    const [asked] = await waiting(rig.session)
    expect(asked?.effects).toMatchObject([{ kind: 'write', outside: true }])
    expect(existsSync(join(rig.folder, '../outside.txt'))).toBe(false)
  })

  test('a hook’s allow replaces the signature of an edit in ask mode, but not for a control file or against a rule', async () => {
    const hooks = [hook('PreToolUse', decision('allow'))]
    const edited = await ran([calls(write('a.txt', 'x')), say('Done.')], hooks, { mode: 'ask' })
    expect(readFileSync(join(edited.rig.folder, 'a.txt'), 'utf8')).toBe('x')
    expect(edited.rig.events().find(({ kind }) => kind === 'TOOL_EXECUTION_START')).toMatchObject({ signedBy: { kind: 'hook' } })
    const { rig } = await rigFor([calls(write('.git/hooks/pre-commit', 'x')), say('Done.')], { mode: 'ask', hooks })
    rig.session.submit('go')
    expect(await waiting(rig.session)).toHaveLength(1)
  })

  test('a Gemini hook gets Gemini’s names, and the arguments that it returns are merged into the call’s arguments', async () => {
    const command = `cat > seen.json; echo '${JSON.stringify({ hookSpecificOutput: { tool_input: { content: 'by the hook' } } })}'`
    const { rig } = await ran([calls(write('a.txt', 'x')), say('Done.')], [{ ...hook('PreToolUse', command), dialect: 'gemini' }])
    expect(readFileSync(join(rig.folder, 'a.txt'), 'utf8')).toBe('by the hook')
    const seen: unknown = JSON.parse(readFileSync(join(rig.folder, 'seen.json'), 'utf8'))
    expect(seen).toMatchObject({ hook_event_name: 'BeforeTool', tool_name: 'write_file', tool_input: { content: 'x' } })
  })

  test('a hook’s message to the model comes after the results', async () => {
    const { provider } = await ran(
      [calls(shell('true')), say('Done.')],
      [hook('PreToolUse', answer({ hookSpecificOutput: { additionalContext: 'mind the gap' } }))],
    )
    expect(said({ provider }, 1)?.slice(-2)).toEqual([
      ['tool_results', ''],
      ['steering', 'Context from hooks:\nmind the gap'],
    ])
  })

  test.each(['PreToolUse', 'PostToolUse', 'SessionStart'] as const)(
    '%s: `continue: false` ends the turn, but not the session',
    async (event) => {
      const once = `[ -e once ] && exit 0; touch once; ${answer({ continue: false, stopReason: 'enough' })}`
      const { rig, provider } = await rigFor([calls(write('a.txt', 'x'), write('b.txt', 'x')), say('Done.')], {
        mode: 'full',
        hooks: [hook(event, once)],
      })
      rig.session.submit('go')
      await rig.session.idle()
      expect(provider.requests).toHaveLength(event === 'SessionStart' ? 0 : 1)
      const written = ['a.txt', 'b.txt'].map((name) => existsSync(join(rig.folder, name)))
      expect(written).toEqual(event === 'PostToolUse' ? [true, true] : [false, false])
      expect(only(rig, 'ERROR')).toMatchObject([{ error: { what: 'A hook ended the turn: enough' } }])
      const before = provider.requests.length
      rig.session.submit('again')
      await expect.poll(() => provider.requests.length).toBeGreaterThan(before)
    },
  )

  test('a hook that guards paths denies a patch that touches one of them', async () => {
    const patch = '*** Begin Patch\n*** Add File: ok.txt\n+x\n*** Add File: keys/a.txt\n+x\n*** End Patch'
    const guard = hook('PreToolUse', `grep -q '"file_path":"[^"]*/keys/' && { echo protected >&2; exit 2; }; exit 0`, 'Edit|Write')
    const { rig, provider } = await ran([calls(call('apply_patch', { patch })), say('Done.')], [guard])
    expect(existsSync(join(rig.folder, 'ok.txt'))).toBe(false)
    expect(resultsOf(provider.requests[1])).toEqual([['error', 'A hook blocked this call: protected Nothing was executed.']])
  })

  test('an allow for one file of a patch does not sign the patch', async () => {
    const patch = '*** Begin Patch\n*** Add File: a.txt\n+x\n*** Add File: b.txt\n+x\n*** End Patch'
    const allowing: Hook = { ...hook('PreToolUse', decision('allow')), condition: 'Edit(a.txt)' }
    const { rig } = await rigFor([calls(call('apply_patch', { patch })), say('Done.')], { mode: 'ask', hooks: [allowing] })
    rig.session.submit('go')
    expect(await waiting(rig.session)).toHaveLength(1)
    expect(only(rig, 'HOOK_RAN')).toMatchObject([{ outcome: 'passed' }])
  })

  test('a hook with arguments starts without a shell, and a hook with a condition ignores other calls', async () => {
    const program: Hook = { ...hook('PreToolUse', "tee 'a b'"), argv: ['tee', 'a b'] }
    const guard: Hook = { ...hook('PreToolUse', 'exit 2'), condition: 'Bash(rm *)' }
    const { rig } = await ran([calls(write('a.txt', 'x')), calls(shell('rm a.txt')), say('Done.')], [program, guard])
    expect(readFileSync(join(rig.folder, 'a.txt'), 'utf8')).toBe('x')
    expect(existsSync(join(rig.folder, 'a b'))).toBe(true)
  })

  test('after a restart the waiting request keeps the hook’s changes, and the hook does not run again', async () => {
    const count = 'cat > /dev/null; echo run >> runs; '
    const command = count + decision('ask', { updatedInput: { file_path: 'b.txt', content: 'changed' } }).replace('cat > /dev/null; ', '')
    const { rig } = await rigFor([calls(write('a.txt', 'x')), say('Done.')], { mode: 'full', hooks: [hook('PreToolUse', command)] })
    rig.session.submit('go')
    const [before] = await waiting(rig.session)
    await rig.session.suspend()
    const next = await rig.takeOver()
    const [after] = await waiting(next)
    expect(after?.approval?.approvalId).toBe(before?.approval?.approvalId)
    answerCall(next, after)
    await next.idle()
    expect(readFileSync(join(rig.folder, 'b.txt'), 'utf8')).toBe('changed')
    expect(readFileSync(join(rig.folder, 'runs'), 'utf8')).toBe('run\n')
  })
})

describe('hooks for a step that needs approval', () => {
  const decided = (behavior: string): string => answer({ hookSpecificOutput: { decision: { behavior, message: 'not today' } } })

  test('a hook can sign the step, so that the user is not asked', async () => {
    const { rig } = await ran([calls(write('a.txt', 'x')), say('Done.')], [hook('PermissionRequest', decided('allow'))], { mode: 'ask' })
    expect(readFileSync(join(rig.folder, 'a.txt'), 'utf8')).toBe('x')
    expect(rig.kinds()).not.toContain('APPROVAL_REQUESTED')
  })

  test('a hook can sign the step with changed arguments, which may still need approval', async () => {
    const changed = (path: string): Hook =>
      hook(
        'PermissionRequest',
        answer({ hookSpecificOutput: { decision: { behavior: 'allow', updatedInput: { file_path: path, content: 'by the hook' } } } }),
      )
    const { rig } = await ran([calls(write('a.txt', 'x')), say('Done.')], [changed('b.txt')], { mode: 'ask' })
    expect([existsSync(join(rig.folder, 'a.txt')), readFileSync(join(rig.folder, 'b.txt'), 'utf8')]).toEqual([false, 'by the hook'])
    expect(only(rig, 'TOOL_EXECUTION_START')).toMatchObject([{ signedBy: { kind: 'hook' }, effects: [{ shown: 'b.txt' }] }])
    const asking = await rigFor([calls(write('a.txt', 'x')), say('Done.')], { mode: 'ask', hooks: [changed('.git/hooks/x')] })
    asking.rig.session.submit('go')
    const [before] = await waiting(asking.rig.session)
    expect(before?.effects).toMatchObject([{ control: true, shown: '.git/hooks/x' }])
    await asking.rig.session.suspend()
    const [after] = await waiting(await asking.rig.takeOver())
    expect(after?.approval?.approvalId).toBe(before?.approval?.approvalId)
  })

  test('a denial with `interrupt` ends the turn', async () => {
    const denied = answer({ hookSpecificOutput: { decision: { behavior: 'deny', message: 'not today', interrupt: true } } })
    const { rig, provider } = await ran([calls(write('a.txt', 'x')), say('Never.')], [hook('PermissionRequest', denied)], { mode: 'ask' })
    expect(provider.requests).toHaveLength(1)
    expect(only(rig, 'ERROR')).toMatchObject([{ error: { what: 'A hook ended the turn: not today' } }])
  })

  test('later hooks see a path that an earlier hook has changed, even if the earlier hook used another argument name', async () => {
    const moving = hook('PreToolUse', answer({ hookSpecificOutput: { updatedInput: { path: 'keys/a.txt', content: 'x' } } }))
    const later = [hook('PermissionRequest', 'cat > asked.json'), hook('PostToolUse', 'cat > after.json')]
    const { rig } = await rigFor([calls(write('a.txt', 'x')), say('Done.')], { mode: 'ask', hooks: [moving, ...later] })
    rig.session.submit('go')
    answerCall(rig.session, (await waiting(rig.session))[0])
    await rig.session.idle()
    for (const name of ['asked.json', 'after.json'])
      expect(JSON.parse(readFileSync(join(rig.folder, name), 'utf8'))).toMatchObject({
        tool_input: { file_path: join(rig.folder, 'keys/a.txt') },
      })
  })

  test('`continue: false` without a decision ends the turn without asking the user', async () => {
    const { rig, provider } = await ran(
      [calls(write('a.txt', 'x')), say('Done.')],
      [hook('PermissionRequest', answer({ continue: false, stopReason: 'enough' }))],
      { mode: 'ask' },
    )
    expect([existsSync(join(rig.folder, 'a.txt')), provider.requests.length]).toEqual([false, 1])
    expect(only(rig, 'ERROR')).toMatchObject([{ error: { what: 'A hook ended the turn: enough' } }])
  })

  test('a hook can refuse the step and give a reason', async () => {
    const hooks = [hook('PermissionRequest', decided('deny'))]
    const { rig, provider } = await ran([calls(write('a.txt', 'x')), say('Done.')], hooks, { mode: 'ask' })
    expect(existsSync(join(rig.folder, 'a.txt'))).toBe(false)
    expect(resultsOf(provider.requests[1])).toEqual([['error', 'A hook refused this call: not today Nothing was executed.']])
    expect(rig.kinds()).not.toContain('APPROVAL_REQUESTED')
  })

  test('a hook cannot sign what always needs approval, and without a decision the request is left to the user', async () => {
    for (const [path, command] of [
      ['.git/hooks/x', decided('allow')],
      ['a.txt', 'true'],
    ] as const) {
      const { rig } = await rigFor([calls(write(path, 'x')), say('Done.')], { mode: 'ask', hooks: [hook('PermissionRequest', command)] })
      rig.session.submit('go')
      expect(await waiting(rig.session)).toHaveLength(1)
    }
  })

  test('a notification says how many steps wait', async () => {
    const hooks = [hook('Notification', 'cat > told.json', 'permission_prompt')]
    const { rig } = await rigFor([calls(write('a.txt', 'x'), write('b.txt', 'y')), say('Done.')], { mode: 'ask', hooks })
    rig.session.submit('go')
    await heard(rig.session, 'HOOK_RAN')
    expect(JSON.parse(readFileSync(join(rig.folder, 'told.json'), 'utf8'))).toMatchObject({
      hook_event_name: 'Notification',
      notification_type: 'permission_prompt',
      message: '2 steps wait for your signature.',
    })
  })
})

test('a notification says that the agent has a question', async () => {
  const question = call('ask_user_question', { questions: [{ question: 'Which port?', kind: 'text' }] })
  const { rig } = await rigFor([calls(question), say('Done.')], {
    tools: createSessionTools({ countLines: countChangedLinesInSlices, canAsk: true }),
    hooks: [hook('Notification', 'cat > told.json', 'elicitation_dialog')],
  })
  rig.session.submit('go')
  await heard(rig.session, 'HOOK_RAN')
  const seen: unknown = JSON.parse(readFileSync(join(rig.folder, 'told.json'), 'utf8'))
  expect(seen).toMatchObject({ notification_type: 'elicitation_dialog', message: 'The agent has a question.' })
})

test('a notification reminds a user who has sent nothing for a minute', async () => {
  const { rig } = await rigFor([say('One.'), say('Two.')], {
    isLeftBehind: true,
    hooks: [hook('Notification', 'cat > told.json', 'idle_prompt')],
  })
  const clock = manualClock()
  const session = createSession({ ...rig.parts(), clock })
  onTestFinished(() => session.close())
  session.submit('go')
  await session.idle()
  await clock.advance(59_000)
  session.submit('more')
  await session.idle()
  await clock.advance(59_000)
  expect(only(rig, 'HOOK_RAN')).toEqual([])
  const told = heard(session, 'HOOK_RAN')
  await clock.advance(1_000)
  await told
  const seen: unknown = JSON.parse(readFileSync(join(rig.folder, 'told.json'), 'utf8'))
  expect(seen).toMatchObject({ notification_type: 'idle_prompt' })
})

describe('hooks after a tool', () => {
  test('a hook gets the result, and the hook’s text is added after the result', async () => {
    const command = `cat > seen.json; echo '${JSON.stringify({ decision: 'block', reason: 'format it' })}'`
    const { rig, provider } = await ran([calls(shell('echo hello')), say('Done.')], [hook('PostToolUse', command, 'Bash')])
    expect(resultsOf(provider.requests[1])[0]?.[1]).toMatch(/^hello\n[^]*A hook says: format it$/u)
    expect(JSON.parse(readFileSync(join(rig.folder, 'seen.json'), 'utf8'))).toMatchObject({
      tool_name: 'Bash',
      tool_input: { command: 'echo hello' },
      tool_response: expect.stringContaining('hello'),
    })
  })

  test('the text of a hook that exits with code 2 is added after the result', async () => {
    const { provider } = await ran([calls(shell('echo hello')), say('Done.')], [hook('PostToolUse', 'echo format it >&2; exit 2')])
    expect(resultsOf(provider.requests[1])[0]?.[1]).toMatch(/^hello\n[^]*A hook says: format it$/u)
  })

  test('a hook can replace what the model gets, but the user sees the real result', async () => {
    const command = answer({ hookSpecificOutput: { updatedToolOutput: 'shorter', sessionTitle: 'not here' } })
    const { rig, provider } = await ran([calls(shell('echo hello')), say('Done.')], [hook('PostToolUse', command)])
    expect(resultsOf(provider.requests[1])).toEqual([['ok', 'shorter']])
    expect(only(rig, 'TOOL_CALL_END')[0]?.output).toContain('hello')
    expect(only(rig, 'SESSION_RENAMED')).toEqual([])
  })

  test('an async hook delays nothing, and is logged when it ends', async () => {
    const slow: Hook = { ...hook('PostToolUse', 'while [ ! -e go ]; do sleep 0.02; done; touch ended'), isAsync: true }
    const { rig } = await ran([calls(shell('true')), say('Done.')], [slow])
    expect([rig.session.state().run, existsSync(join(rig.folder, 'ended'))]).toEqual(['IDLE', false])
    writeFileSync(join(rig.folder, 'go'), '')
    await heard(rig.session, 'HOOK_RAN')
    expect(existsSync(join(rig.folder, 'ended'))).toBe(true)
  })

  test('a hook does not run for a failed call', async () => {
    const { rig } = await ran([calls(read('missing.txt')), say('Done.')], [hook('PostToolUse', 'touch ran')])
    expect(existsSync(join(rig.folder, 'ran'))).toBe(false)
  })
})

describe('hooks around a turn', () => {
  test('output of start and message hooks reaches the model once, after the message', async () => {
    const hooks = [hook('SessionStart', 'echo branch main'), hook('UserPromptSubmit', 'cat > prompt.json; echo be short')]
    const { rig, provider } = await ran([say('One.'), say('Two.')], hooks)
    expect(said({ provider }, 0)).toEqual([
      ['user', 'go'],
      ['steering', 'Context from hooks:\nbranch main\nbe short'],
    ])
    expect(JSON.parse(readFileSync(join(rig.folder, 'prompt.json'), 'utf8'))).toMatchObject({ prompt: 'go' })
    rig.session.submit('more')
    await rig.session.idle()
    expect(said({ provider }, 1)?.at(-1)).toEqual(['steering', 'Context from hooks:\nbe short'])
  })

  test('a SessionStart hook learns whether the session is new or resumed', async () => {
    const starting = hook('SessionStart', `grep -o '"source":"[a-z]*"' >> sources`)
    const { rig } = await ran([say('One.'), say('Two.')], [starting, hook('SessionStart', 'touch resumed', 'resume')])
    expect(existsSync(join(rig.folder, 'resumed'))).toBe(false)
    await rig.session.suspend()
    const next = await rig.takeOver()
    next.submit('more')
    await next.idle()
    expect(readFileSync(join(rig.folder, 'sources'), 'utf8')).toBe('"source":"startup"\n"source":"resume"\n')
    expect(existsSync(join(rig.folder, 'resumed'))).toBe(true)
  })

  test('a SessionEnd hook receives the mode and is in the log', async () => {
    const { rig } = await ran([say('One.')], [hook('SessionEnd', 'cat > end.json')], { mode: 'auto' })
    await rig.session.close()
    expect(JSON.parse(readFileSync(join(rig.folder, 'end.json'), 'utf8'))).toMatchObject({ reason: 'clear', permission_mode: 'auto' })
    expect(only(rig, 'HOOK_RAN')).toMatchObject([{ event: 'SessionEnd', outcome: 'passed' }])
  })

  test('a session without a turn runs no SessionEnd hook, and a hook can set a session’s title', async () => {
    const { rig } = await rigFor([say('One.')], { hooks: [hook('SessionEnd', 'touch ended')] })
    await rig.session.close()
    expect(existsSync(join(rig.folder, 'ended'))).toBe(false)
    const named = await ran([say('One.')], [hook('UserPromptSubmit', answer({ hookSpecificOutput: { sessionTitle: 'Fix  the cart' } }))])
    expect(named.rig.session.state().title).toBe('Fix the cart')
  })

  test('a hook can make the agent continue up to eight times, and its input says whether it has already done so', async () => {
    const command = 'cat >> stops.json; echo run the tests >&2; exit 2'
    const { rig, provider } = await ran(
      Array.from({ length: 12 }, (_, index) => say(`Answer ${index}.`)),
      [hook('Stop', command)],
    )
    expect(provider.requests).toHaveLength(9)
    expect(said({ provider }, 1)?.at(-1)).toEqual(['steering', 'A hook asked the agent to continue: run the tests'])
    const seen = readFileSync(join(rig.folder, 'stops.json'), 'utf8')
    expect([seen.match(/"stop_hook_active":false/gu)?.length, seen.match(/"stop_hook_active":true/gu)?.length]).toEqual([1, 8])
    expect(rig.session.state().run).toBe('IDLE')
  })

  test('a hook’s process gets none of the app’s API keys', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-ant-of-the-person')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { rig } = await ran([say('One.')], [hook('UserPromptSubmit', 'env | grep -c ANTHROPIC_API_KEY > count; true')])
    expect(readFileSync(join(rig.folder, 'count'), 'utf8').trim()).toBe('0')
  })
})
