import { describe, expect, test } from 'vitest'
import { type HookEnd, hookSays } from '../../main/hooks/hook-answer.ts'
import { HOOK_EVENTS, type HookEvent } from '../../shared/session/hooks.ts'

const end = (exitCode: number | null, stdout: object | string = '', stderr = ''): HookEnd => ({
  exitCode,
  stderr,
  why: 'it was stopped after 20 ms',
  stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout),
})
const own = (more: object): object => ({ hookSpecificOutput: more })
const says = (event: HookEvent, how: HookEnd): string => {
  const { outcome, decision, reason, context, stop } = hookSays(event, how)
  return [outcome, decision ?? '-', reason, context && `context ${context}`, stop && `stop ${stop}`].filter((part) => part).join(' | ')
}

describe('the exit code of a hook', () => {
  test.each(HOOK_EVENTS)('%s: exit code 0 without output allows everything', (event) => {
    expect(says(event, end(0))).toBe('passed | -')
  })

  test.each([
    ['PreToolUse', 'blocked | deny | no'],
    ['PostToolUse', 'blocked | deny | no'],
    ['UserPromptSubmit', 'blocked | deny | no'],
    ['Stop', 'blocked | deny | no'],
    ['SubagentStop', 'blocked | deny | no'],
    ['PreCompact', 'blocked | deny | no'],
    ['PermissionRequest', 'failed | - | no'],
    ['SessionStart', 'failed | - | no'],
    ['SessionEnd', 'failed | - | no'],
    ['Notification', 'failed | - | no'],
  ] as const)('%s: exit code 2 with text on stderr: %s', (event, expected) => {
    expect(says(event, end(2, '', 'no\n'))).toBe(expected)
  })

  test.each(HOOK_EVENTS)('%s: a hook that fails in any other way makes a tool call need approval', (event) => {
    const decision = event === 'PreToolUse' || event === 'PermissionRequest' ? 'ask' : '-'
    expect(says(event, end(1, '', 'broken'))).toBe(`failed | ${decision} | A hook failed: it ended with exit code 1: broken.`)
    expect(says(event, end(null))).toBe(`failed | ${decision} | A hook failed: it was stopped after 20 ms.`)
    expect(says(event, end(0, '{"decision":'))).toBe(`failed | ${decision} | A hook failed: it printed JSON that cannot be read.`)
  })

  test.each([
    ['UserPromptSubmit', 'passed | - | context plain'],
    ['SessionStart', 'passed | - | context plain'],
    ['PreToolUse', 'passed | -'],
    ['Stop', 'passed | -'],
  ] as const)('%s: plain output: %s', (event, expected) => {
    expect(says(event, end(0, 'plain\n'))).toBe(expected)
  })
})

describe('the JSON answer of a hook', () => {
  test.each([
    ['PreToolUse', own({ permissionDecision: 'deny', permissionDecisionReason: 'no' }), 'blocked | deny | no'],
    ['PreToolUse', own({ permissionDecision: 'ask', permissionDecisionReason: 'look' }), 'asked | ask | look'],
    ['PreToolUse', own({ permissionDecision: 'allow' }), 'allowed | allow'],
    ['PreToolUse', own({ permissionDecision: 'defer' }), 'asked | ask'],
    ['PreToolUse', { decision: 'block', reason: 'old form' }, 'blocked | deny | old form'],
    ['PreToolUse', { decision: 'approve' }, 'allowed | allow'],
    ['PreToolUse', own({ additionalContext: 'note' }), 'passed | - | context note'],
    ['PostToolUse', { decision: 'block', reason: 'format it' }, 'blocked | deny | format it'],
    ['PostToolUse', own({ additionalContext: 'note' }), 'passed | - | context note'],
    ['UserPromptSubmit', { decision: 'block', reason: 'has a key' }, 'blocked | deny | has a key'],
    ['UserPromptSubmit', own({ additionalContext: 'branch main' }), 'passed | - | context branch main'],
    ['Stop', { decision: 'block', reason: 'run the tests' }, 'blocked | deny | run the tests'],
    ['Stop', own({ additionalContext: 'look again' }), 'passed | - | context look again'],
    ['PreCompact', { decision: 'block', reason: 'not now' }, 'blocked | deny | not now'],
    ['PermissionRequest', own({ decision: { behavior: 'deny', message: 'never' } }), 'blocked | deny | never'],
    ['PermissionRequest', own({ decision: { behavior: 'allow' } }), 'allowed | allow'],
    ['PermissionRequest', { decision: 'block' }, 'passed | -'],
    ['Stop', { continue: false, stopReason: 'enough' }, 'passed | - | stop enough'],
    ['SessionStart', { systemMessage: 'hello', unknownKey: 1 }, 'passed | - | hello'],
    ['PreToolUse', own({ permissionDecision: 'perhaps' }), 'failed | ask | A hook failed: it printed JSON that cannot be read.'],
  ] as const)('%s: %j is %s', (event, json, expected) => {
    expect(says(event, end(0, json))).toBe(expected)
    expect(says(event, end(1, json))).toBe(expected)
  })

  test('exit code 2 overrides an allow', () => {
    expect(says('PreToolUse', end(2, own({ permissionDecision: 'allow' }), 'stop here'))).toBe('blocked | deny | stop here')
  })

  test('changed arguments are returned, except with a denial', () => {
    const changed = { permissionDecision: 'allow', updatedInput: { command: 'ls' } }
    expect(hookSays('PreToolUse', end(0, own(changed))).updatedInput).toEqual({ command: 'ls' })
    expect(hookSays('PreToolUse', end(0, own({ ...changed, permissionDecision: 'deny' }))).updatedInput).toBeNull()
  })
})

/** What each answer means for each event. Events that are not listed ignore the answer. */
const ANSWERS: readonly (readonly [object, Partial<Record<HookEvent, string>>])[] = [
  [{}, {}],
  [
    { decision: 'block', reason: 'why' },
    {
      PreToolUse: 'blocked | deny | why',
      PostToolUse: 'blocked | deny | why',
      UserPromptSubmit: 'blocked | deny | why',
      Stop: 'blocked | deny | why',
      SubagentStop: 'blocked | deny | why',
      PreCompact: 'blocked | deny | why',
      PermissionRequest: 'passed | - | why',
      SessionStart: 'passed | - | why',
    },
  ],
  [own({ permissionDecision: 'deny' }), { PreToolUse: 'blocked | deny | A hook blocked this without a reason.' }],
  [own({ permissionDecision: 'ask' }), { PreToolUse: 'asked | ask' }],
  [own({ permissionDecision: 'allow' }), { PreToolUse: 'allowed | allow' }],
  [own({ decision: { behavior: 'allow' } }), { PermissionRequest: 'allowed | allow' }],
  [own({ decision: { behavior: 'deny' } }), { PermissionRequest: 'blocked | deny | A hook blocked this without a reason.' }],
  [
    own({ additionalContext: 'note' }),
    {
      PreToolUse: 'passed | - | context note',
      PostToolUse: 'passed | - | context note',
      Stop: 'passed | - | context note',
      SubagentStop: 'passed | - | context note',
      UserPromptSubmit: 'passed | - | context note',
      SessionStart: 'passed | - | context note',
    },
  ],
  [
    { continue: false, stopReason: 'enough' },
    Object.fromEntries(
      HOOK_EVENTS.filter((event) => event !== 'SessionEnd' && event !== 'Notification').map((event) => [event, 'passed | - | stop enough']),
    ),
  ],
  [{ systemMessage: 'hello' }, Object.fromEntries(HOOK_EVENTS.map((event) => [event, 'passed | - | hello']))],
]
const WITH_CODE_2: readonly HookEvent[] = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop', 'SubagentStop', 'PreCompact']

describe.each(HOOK_EVENTS)('%s: a JSON answer', (event) => {
  test.each(ANSWERS)('%j means the same with exit code 0, with exit code 1 and after a kill', (json, meanings) => {
    const expected = meanings[event] ?? 'passed | -'
    for (const code of [0, 1, null]) expect(says(event, end(code, json, 'no'))).toBe(expected)
  })

  test.each(ANSWERS)('%j with exit code 2 blocks, if the event can be blocked', (json, meanings) => {
    const said = says(event, end(2, json, 'no'))
    const expected = meanings[event] ?? 'passed | -'
    if (WITH_CODE_2.includes(event)) expect(said.startsWith('blocked | deny | no')).toBe(true)
    else expect(said).toBe(expected)
  })
})

test.each([
  ['PreToolUse', 'blocked', 'deny'],
  ['PermissionRequest', 'blocked', 'deny'],
  ['UserPromptSubmit', 'blocked', 'deny'],
  ['Stop', 'failed', null],
  ['SessionStart', 'failed', null],
] as const)('%s: a failure with onFailure “block” is %s', (event, outcome, decision) => {
  expect(hookSays(event, end(1), true)).toMatchObject({ outcome, decision })
  expect(hookSays(event, end(0), true)).toMatchObject({ outcome: 'passed' })
})

test('the fields of an answer that have no effect are listed', () => {
  const decision = { behavior: 'allow', updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits' }] }
  expect(hookSays('PermissionRequest', end(0, own({ decision }))).ignored).toEqual(['updatedPermissions'])
  expect(hookSays('SessionStart', end(0, own({ initialUserMessage: 'hi' }))).ignored).toEqual(['initialUserMessage'])
  expect(hookSays('PreCompact', end(0, own({ additionalContext: 'note' }))).ignored).toEqual(['additionalContext'])
})
