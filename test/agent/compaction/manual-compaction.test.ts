import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Hook } from '../../../shared/session/hooks.ts'
import type { LoggedTurn, Turn } from '../../../shared/session/conversation-turns.ts'
import { call, calls, gate, say } from '../../support/scripted-model.ts'
import { hook } from '../../hooks/support/hook.ts'
import { openRig } from '../support/rig.ts'
import { type ProviderAnswer, scriptedProvider } from '../support/scripted-provider.ts'

const used = (tokens: number) => ({ usage: { input: tokens, output: 0 } })
const tooBusy = { kind: 'failure', failure: { code: 'authentication', message: 'No.' } } as const

/** Runs two requests, which leave the context window far from full. */
async function shortRig(hooks: readonly Hook[], ...rest: readonly (ProviderAnswer | (() => Promise<ProviderAnswer>))[]) {
  const answers = [say('One.', used(100)), say('Two.', used(300)), ...rest]
  const provider = scriptedProvider((_, index) => {
    const answer = answers[index] ?? say('More.')
    return typeof answer === 'function' ? answer() : answer
  })
  const rig = await openRig(provider, { contextWindow: 100_000, mode: 'full', hooks })
  const go = (words: string) => (rig.session.submit(words), rig.session.idle())
  return { provider, rig, go }
}

const contentOf = (turn: LoggedTurn | Turn | undefined): string =>
  turn && 'content' in turn && typeof turn.content === 'string' ? turn.content : ''

test('a user can compact an idle session with instructions, and hooks get these instructions, too', async () => {
  const { provider, rig, go } = await shortRig(
    [hook('PreCompact', 'cat > before.json')],
    say('They want a parser.', used(310)),
    say('Three.', used(60)),
  )
  await go('First')
  await go('Second')
  expect(rig.session.compact(' Keep the file names. ')).toEqual({ ok: true })
  const { run, ended, compactions } = await rig.session.idle()
  expect({ run, ended, why: compactions.map(({ why }) => why) }).toEqual({ run: 'IDLE', ended: 'completed', why: ['manual'] })
  const input: unknown = JSON.parse(readFileSync(join(rig.folder, 'before.json'), 'utf8'))
  expect(input).toMatchObject({ trigger: 'manual', custom_instructions: 'Keep the file names.' })
  const question = contentOf(provider.requests[2]?.turns.at(-1))
  expect(question).toMatch(/^The user asked to compact the conversation\. Write a summary/u)
  expect(question).toContain('Instructions of the user for this summary:\nKeep the file names.')
  expect(provider.requests).toHaveLength(3)
  await go('Third')
  expect(contentOf(provider.requests[3]?.turns[0])).toContain('They want a parser.')
  expect(rig.session.undoCompaction()).toEqual({ ok: true })
})

test('a compaction requested during a turn happens before its next request, and the turn continues', async () => {
  const held = gate()
  const { provider, rig, go } = await shortRig(
    [],
    async () => (await held.opened, calls(call('read_file', { file_path: 'no.txt' }))),
    say('A summary.', used(320)),
    say('Three.', used(60)),
  )
  await go('First')
  await go('Second')
  rig.session.submit('Third')
  await rig.session.record.until(() => (provider.requests.length === 3 ? true : null), new AbortController().signal)
  expect(rig.session.compact('')).toEqual({ ok: true })
  held.open()
  expect((await rig.session.idle()).ended).toBe('completed')
  expect(rig.kinds().slice(-6)).toEqual(['TOOL_CALL_END', 'USAGE', 'COMPACTED', 'ASSISTANT_TURN', 'USAGE', 'PROCESSING_END'])
  expect(contentOf(provider.requests.at(-1)?.turns[0])).toContain('A summary.')
})

test('a hook that forbids a compaction is run again when the user requests another compaction', async () => {
  const forbids = hook('PreCompact', '[ ! -e forbid ] || { echo Not now. >&2; exit 2; }')
  const { provider, rig, go } = await shortRig([forbids], say('A summary.', used(310)))
  await go('First')
  await go('Second')
  const file = join(rig.folder, 'forbid')
  writeFileSync(file, '')
  rig.session.compact('')
  await rig.session.idle()
  expect(provider.requests).toHaveLength(2)
  expect(rig.events().at(-2)).toMatchObject({
    kind: 'WARNING',
    trouble: { what: 'A hook does not allow the conversation to be compacted: Not now.' },
  })
  rmSync(file)
  rig.session.compact('')
  expect((await rig.session.idle()).compactions).toHaveLength(1)
})

test('a compaction is refused if there is nothing to compact, and changes nothing if the service fails', async () => {
  const { rig, go } = await shortRig([], tooBusy)
  expect(rig.session.compact('')).toMatchObject({ ok: false, trouble: { code: 'nothing_to_compact' } })
  await go('First')
  await go('Second')
  rig.session.compact('')
  expect((await rig.session.idle()).ended).toBe('error')
  expect(rig.session.state().compactions).toEqual([])
  expect(rig.session.record.memory().transcript.turns()).toHaveLength(4)
})
