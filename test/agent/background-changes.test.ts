import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { changedFiles } from '../../shared/session/fold/changed-files.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import type { Rig, RigOptions } from './support/rig.ts'
import type { ProviderAnswer, ProviderScript } from './support/scripted-provider.ts'
import { only, resultsOf, rigFor, write } from './support/scripted-rig.ts'

const inBackground = (command: string) => call('shell', { command, run_in_background: true })

/** For each FILES_CHANGED event of the session: the paths, and what the comparison of the folder left out. */
const changesIn = (rig: Rig) =>
  only(rig, 'FILES_CHANGED').map(({ files, madeBy }) => ({ files: files.map(({ shown }) => shown), leftOut: madeBy?.compared?.leftOut }))

/** Resolves when the changes of a background command are recorded with a complete comparison of the folder. */
const listed = (rig: Rig): Promise<Rig> =>
  rig.session.record.until(
    () => (only(rig, 'FILES_CHANGED').some(({ madeBy }) => madeBy?.inBackground && madeBy.compared?.leftOut.length === 0) ? rig : null),
    new AbortController().signal,
  )

async function run(steps: Parameters<typeof rigFor>[0], options: RigOptions = {}) {
  const scripted = await rigFor(steps, { mode: 'full', ...options })
  scripted.rig.session.submit('go')
  await scripted.rig.session.idle()
  return scripted
}

/** A model that reads the output of the background command after its first step, and takes its other steps once a read contains `word`. */
function readsUntil(word: string, first: ProviderAnswer, ...others: readonly ProviderAnswer[]): ProviderScript {
  const left = [...others]
  let hasRead = false
  return (request, index) => {
    if (index === 0) return first
    hasRead ||= JSON.stringify(resultsOf(request)).includes(word)
    return (hasRead && left.shift()) || calls(call('bash_output', { id: 'bg_1' }))
  }
}

const UNTIL_STOP = 'until [ -e stop ]; do sleep 0.02; done'

describe('the changes of a background command', { timeout: 60_000 }, () => {
  it('are announced while it runs, and listed when it ends, without other steps’ changes', async () => {
    const { rig } = await run([
      calls(inBackground(`${UNTIL_STOP}; echo made > made.txt; echo more >> both.txt`)),
      calls(write('mine.txt', 'mine'), write('both.txt', 'mine\n')),
      calls(write('stop', '')),
      say('Done.'),
    ])
    expect(changesIn(rig)[0]).toEqual({
      files: [],
      leftOut: [expect.stringContaining('The changes are listed if the command ends while Countersign runs.')],
    })
    await listed(rig)
    const found = only(rig, 'FILES_CHANGED').findLast(({ madeBy }) => madeBy?.inBackground)?.files ?? []
    expect(found.map(({ shown }) => shown)).toEqual(['both.txt', 'made.txt'])
    const [both] = found
    expect([both?.lines, both?.beforeBytes]).toEqual([{ added: 1, removed: 0 }, 5])
  })

  it('do not include what an undo changed while the command ran', async () => {
    const { rig } = await run([calls(write('a.txt', 'agent')), calls(inBackground(`${UNTIL_STOP}; echo made > made.txt`)), say('Done.')])
    const target = { kind: 'step', step: 1 } as const
    const { plan } = await rig.undo.preview(target)
    const { record } = rig.session
    expect(await rig.undo.run(record, { target, plan, anyway: [], choices: [] })).toMatchObject({ kind: 'done' })
    await writeFile(join(rig.folder, 'stop'), '')
    await listed(rig)
    expect(changesIn(rig).at(-1)?.files).toEqual(['made.txt', 'stop'])
  })

  it('are undone only on request, because a user may have made them', async () => {
    const { rig } = await run([calls(inBackground(`${UNTIL_STOP}; echo made > made.txt`)), calls(write('a.txt', 'agent')), say('Done.')])
    await writeFile(join(rig.folder, 'mine.txt'), 'mine')
    await writeFile(join(rig.folder, 'stop'), '')
    await listed(rig)
    const target = { kind: 'to', step: 0 } as const
    const { plan, files, skipped } = await rig.undo.preview(target)
    expect(files.map(({ change }) => change.shown)).toEqual(['a.txt'])
    expect(skipped.map(({ shown, why }) => [shown, why])).toEqual(['made.txt', 'mine.txt', 'stop'].map((path) => [path, 'in-background']))
    const anyway = [join(rig.folder, 'made.txt')]
    await rig.undo.run(rig.session.record, { target, plan, anyway, choices: [] })
    expect((await readdir(rig.folder)).toSorted()).toEqual(['mine.txt', 'stop'])
  })

  it('belong to the call that started the command, even after the log is replayed', async () => {
    const { rig } = await run([calls(inBackground('sleep 0.2; echo made > made.txt')), say('Done.')])
    await listed(rig)
    const { items, run: state } = rig.replay()
    expect([state, rig.session.state().run, rig.store.sessions.get(rig.sessionId)?.run]).toEqual(['IDLE', 'IDLE', 'IDLE'])
    expect(changedFiles(items)).toMatchObject([{ shown: 'made.txt', steps: [1], madeBy: [{ isFound: true, inBackground: true }] }])
    const changes = rig.store.ledger.changes(rig.sessionId, 0, 10)
    expect(changes.flatMap(({ event }) => ('files' in event ? event.files.map(({ shown }) => shown) : []))).toEqual(['made.txt'])
    expect(items.find((item) => item.kind === 'call')).toMatchObject({
      files: [{ shown: 'made.txt' }],
      madeBy: { compared: { leftOut: [] } },
    })
  })

  it.each(['kill_shell', 'the end of the session'])('are listed when %s ends the command', async (by) => {
    const command = "trap 'echo made > made.txt; exit' TERM; echo ready; while :; do sleep 0.05; done"
    const kill = by === 'kill_shell' ? [calls(call('kill_shell', { id: 'bg_1' }))] : []
    const { rig } = await run(readsUntil('ready', calls(inBackground(command)), ...kill, say('Done.')))
    if (by !== 'kill_shell') {
      await rig.session.suspend()
      await rig.close()
    }
    expect(changesIn(rig).at(-1)).toEqual({ files: ['made.txt'], leftOut: [] })
  })

  it('are not announced if the command could not be started', async () => {
    const { rig } = await run([calls(call('shell', { command: 'true', run_in_background: true, working_dir: 'missing' })), say('Done.')])
    expect(changesIn(rig)).toEqual([])
  })

  it.skipIf(hasNoCopies)('are listed for a confined command, too, and none of its processes outlives it', async () => {
    const loop = 'while :; do date +%N > tick; sleep 0.02; done'
    const command = `(setsid sh -c '${loop}' &); until [ -s tick ]; do sleep 0.02; done; echo x > made.txt; echo began; sleep 300`
    const { rig } = await run(readsUntil('began', calls(inBackground(command)), calls(call('kill_shell', { id: 'bg_1' })), say('Done.')), {
      mode: 'auto',
      inCopies: true,
    })
    expect(changesIn(rig).at(-1)).toEqual({ files: ['made.txt', 'tick'], leftOut: [] })
    const tick = (): Promise<string> => readFile(join(rig.folder, 'tick'), 'utf8')
    const last = await tick()
    await setTimeout(200)
    expect(await tick()).toBe(last)
  })
})

describe('a background command that fails', { timeout: 60_000 }, () => {
  const failed = (rig: Rig) =>
    rig.session.record.until(
      () => (only(rig, 'WARNING').length > 0 ? rig.session.state().failedCommand : null),
      new AbortController().signal,
    )

  it('after the turn is shown in the list of sessions, and told to the agent with its next request, once', async () => {
    const { rig, provider } = await run([calls(inBackground(`${UNTIL_STOP}; exit 3`)), say('It watches.'), say('I see.'), say('Yes.')])
    expect(rig.store.sessions.get(rig.sessionId)?.failedCommand).toBeNull()
    await writeFile(join(rig.folder, 'stop'), '')
    const words = `“${UNTIL_STOP}; exit 3” ended in the background, exit 3`
    expect(await failed(rig)).toMatchObject({ words })
    const summary = rig.store.sessions.get(rig.sessionId)
    expect(summary).toMatchObject({ ended: 'completed', failedCommand: { words } })
    expect(summary?.failedCommand?.seq).toBeGreaterThan(summary?.turnEnd ?? 0)
    rig.session.submit('Go on')
    await rig.session.idle()
    rig.session.submit('And?')
    await rig.session.idle()
    const told = provider.requests.map(({ turns }) => turns.filter((turn) => turn.kind === 'steering').map(({ content }) => content))
    expect(told.map((notes) => notes.length)).toEqual([0, 0, 1, 1])
    expect(told[2]?.[0]).toContain(`${words}. Read the last output with bash_output`)
    expect(rig.session.state().failedCommand).toBeNull()
  })

  it('during a turn is told to the agent before its next step', async () => {
    const { provider } = await run((request, index) => {
      if (index === 0) return calls(inBackground('exit 3'))
      const isTold = request.turns.some((turn) => JSON.stringify(turn).includes('“exit 3” ended in the background'))
      return isTold ? say('I see.') : calls(call('shell', { command: `sleep 0.1; : ${index}` }))
    })
    expect(provider.requests.length).toBeGreaterThan(1)
  })

  it.each([
    ['it succeeds', 'exit 0'],
    ['it is stopped', 'sleep 100'],
  ])('is not reported if %s', async (_, command) => {
    const { rig } = await run([calls(inBackground(command)), calls(call('kill_shell', { id: 'bg_1' })), say('Done.')])
    await listed(rig)
    expect(only(rig, 'WARNING')).toEqual([])
  })
})
