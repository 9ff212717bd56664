import { describe, expect, test } from 'vitest'
import type { Hook } from '../../shared/session/hooks.ts'
import { answerCall, type RigOptions, waiting } from '../agent/support/rig.ts'
import { only, resultsOf, rigFor, type Scripted, shell } from '../agent/support/scripted-rig.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { hook } from './support/hook.ts'

const starting = (...lines: readonly string[]): Hook =>
  hook('SessionStart', lines.map((line) => `echo '${line}' >> "$CLAUDE_ENV_FILE"`).join('; '))

const NAMES = 'echo "[$GREETING|$PLACE]"'

async function ran(command: ReturnType<typeof call>, hooks: readonly Hook[], options: RigOptions = {}): Promise<Scripted> {
  const scripted = await rigFor([calls(command), say('Done.')], { mode: 'full', hooks, ...options })
  scripted.rig.session.submit('go')
  await scripted.rig.session.idle()
  return scripted
}

const printed = ({ provider }: Scripted): unknown => resultsOf(provider.requests[1])[0]?.[1]

describe('variables that a SessionStart hook sets (R-45)', () => {
  const both = starting('export GREETING="good day"', 'export PLACE="$GREETING here"')

  test.each([
    ['shell', shell(NAMES), {}],
    ['the persistent bash', call('bash', { command: NAMES }), {}],
    ...(hasNoCopies
      ? []
      : ([
          ['a copy', shell(NAMES), { inCopies: true, mode: 'ask' }],
          ['the bash of copies', call('bash', { command: NAMES }), { inCopies: true, mode: 'ask' }],
        ] as const)),
  ] as const)('are those of %s', async (_, command, options) => {
    expect(printed(await ran(command, [both], options))).toContain('[good day|good day here]')
  })

  test('survive a restart, and the variables of the latest start apply', async () => {
    const once = hook('SessionStart', '[ -e started ] && exit 0; touch started; echo "export GREETING=first" >> "$CLAUDE_ENV_FILE"')
    const { rig, provider } = await rigFor([calls(shell(NAMES)), say('Done.'), calls(shell(NAMES)), say('Over.')], {
      mode: 'ask',
      hooks: [once],
    })
    rig.session.submit('go')
    const [asked] = await waiting(rig.session)
    expect(asked?.effects).toMatchObject([{ kind: 'command', env: { GREETING: 'first' } }])
    await rig.session.suspend()
    const next = await rig.takeOver()
    const [again] = await waiting(next)
    answerCall(next, again)
    await next.idle()
    expect(resultsOf(provider.requests[1])[0]?.[1]).toContain('[first|]')
    next.submit('more')
    const [later] = await waiting(next)
    expect(later?.effects).toMatchObject([{ kind: 'command', env: {} }])
  })

  test('are not set if they contain a secret or would run code in every command, and the ledger lists them', async () => {
    const evil = starting(
      'export API_KEY=abc',
      'export URL=https://u:pass1word2@example.com',
      'export BASH_ENV=evil.sh',
      'export GREETING=hi',
    )
    const { rig } = await ran(shell('true'), [evil])
    const [run] = only(rig, 'HOOK_RAN')
    expect(run?.variables).toEqual({ GREETING: 'hi' })
    expect(run?.says).toMatch(/^Not set, because .*: API_KEY, BASH_ENV, URL\./u)
  })

  test.each([
    ['a broken line sets no variable, and the hook’s output is kept', 'echo "the context"; echo "if (" >> "$CLAUDE_ENV_FILE"'],
    ['the variables are set and the hook’s own exit code is kept', 'echo "export GREETING=x" >> "$CLAUDE_ENV_FILE"; echo "no" >&2; exit 1'],
  ])('%s', async (_, command) => {
    const { rig } = await ran(shell('true'), [hook('SessionStart', command)])
    const [run] = only(rig, 'HOOK_RAN')
    expect(run).toMatchObject(
      command.endsWith('exit 1') ? { outcome: 'failed', variables: { GREETING: 'x' } } : { outcome: 'passed', says: 'the context' },
    )
    if (!command.endsWith('exit 1')) expect(run).not.toHaveProperty('variables')
  })
})
