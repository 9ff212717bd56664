import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { call, message, say } from '../../support/scripted-model.ts'
import { hook } from '../../hooks/support/hook.ts'
import { answerCall, openRig, waiting } from '../support/rig.ts'
import { type ProviderAnswer, scriptedProvider } from '../support/scripted-provider.ts'

const used = (tokens: number) => ({ usage: { input: tokens, output: 0 } })
const tooLong = { kind: 'failure', failure: { code: 'context_length', message: 'Too long.' } } as const

/** Runs a conversation that fills 93 % of its context window, with a hook that blocks compaction. */
async function fullRig(reason: string, ...rest: readonly ProviderAnswer[]) {
  const provider = scriptedProvider([say('One.', used(100)), say('Two.', used(930)), ...rest])
  const hooks = [hook('PreCompact', `echo '${reason}' >&2; exit 2`)]
  const rig = await openRig(provider, { contextWindow: 1000, mode: 'full', hooks })
  const go = (words: string) => (rig.session.submit(words), rig.session.idle())
  await go('First')
  await go('Second')
  const warnings = () => rig.events().flatMap((event) => (event.kind === 'WARNING' ? [event.trouble.what] : []))
  const hookRuns = () => rig.kinds().filter((kind) => kind === 'HOOK_RAN').length
  return { provider, rig, hookRuns, go, warnings }
}

describe('before a compaction (R-41, D-17)', () => {
  test('a plan in progress stays in the context word for word', async () => {
    const steps = [{ title: 'Look around' }, { title: 'Stop' }]
    const provider = scriptedProvider([
      message([call('exit_plan_mode', { title: 'Two steps', steps })], used(100)),
      message([call('glob', { pattern: '*' })], used(930)),
      say('A summary.', used(940)),
      say('Done.', used(100)),
    ])
    const rig = await openRig(provider, { contextWindow: 1000, mode: 'plan' })
    rig.session.submit('Plan it')
    answerCall(rig.session, (await waiting(rig.session))[0])
    expect((await rig.session.idle()).ended).toBe('completed')
    expect(rig.kinds()).toContain('COMPACTED')
    const first = provider.requests.at(-1)?.turns[0]
    expect(first?.kind === 'user' && first.content).toContain(
      '<keep>\nThe plan that the developer signed:\n# Two steps\n\n1. Look around\n2. Stop\n</keep>',
    )
  })

  test('if a hook forbids the compaction, the conversation continues unchanged, and the hook runs again with the next message', async () => {
    const answers = [say('Three.', used(950)), say('Four.', used(960))]
    const { provider, rig, hookRuns, go, warnings } = await fullRig('An audit needs every word.', ...answers)
    expect((await go('Third')).ended).toBe('completed')
    expect([rig.kinds().includes('COMPACTED'), provider.requests.length, hookRuns()]).toEqual([false, 3, 1])
    expect(warnings()).toEqual([expect.stringContaining('An audit needs every word.')])
    await go('Fourth')
    expect([hookRuns(), warnings().length, provider.requests.at(-1)?.turns.length]).toEqual([2, 2, 7])
  })

  test('if a hook forbids the compaction, the turn of a conversation that is too long ends with the error context_length', async () => {
    const { provider, rig, hookRuns, go, warnings } = await fullRig('Not now.', tooLong)
    expect((await go('Third')).ended).toBe('error')
    expect([provider.requests.length, hookRuns(), warnings().length]).toEqual([3, 1, 1])
    expect(rig.events().at(-2)).toMatchObject({ kind: 'ERROR', error: { code: 'context_length' } })
    expect(rig.session.record.memory().transcript.turns()).toHaveLength(5)
  })

  test('a PreCompact hook gets the approval mode, and a SessionStart hook runs after the compaction', async () => {
    const provider = scriptedProvider([
      say('One.', used(100)),
      say('Two.', used(930)),
      say('A summary.', used(940)),
      say('Three.', used(100)),
    ])
    const hooks = [hook('PreCompact', 'cat > before.json'), hook('SessionStart', 'echo still on main', 'compact')]
    const rig = await openRig(provider, { contextWindow: 1000, mode: 'full', hooks })
    for (const words of ['First', 'Second', 'Third']) {
      rig.session.submit(words)
      await rig.session.idle()
    }
    const seen: unknown = JSON.parse(readFileSync(join(rig.folder, 'before.json'), 'utf8'))
    expect(seen).toMatchObject({ hook_event_name: 'PreCompact', trigger: 'auto', permission_mode: 'bypassPermissions' })
    const kinds = rig.kinds().filter((kind) => kind === 'HOOK_RAN' || kind === 'COMPACTED')
    expect(kinds).toEqual(['HOOK_RAN', 'COMPACTED', 'HOOK_RAN'])
    expect(JSON.stringify(provider.requests.at(-1)?.turns)).toContain('still on main')
  })
})
