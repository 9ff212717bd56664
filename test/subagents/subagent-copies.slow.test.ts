import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SessionState } from '../../shared/session/state.ts'
import { hasNoCopies, treeOf } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type Asked, type Family, openFamily } from './support/family.ts'

const LINES = Array.from({ length: 9 }, (_, n) => `line ${n + 1}`)
const TEXT = `${LINES.join('\n')}\n`
const withLine = (number: number, text: string, from = LINES): string => `${from.with(number - 1, text).join('\n')}\n`

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const files = ({ folder }: { readonly folder: string }): void => {
  writeFileSync(join(folder, 'a.txt'), TEXT)
  writeFileSync(join(folder, 'b.txt'), 'b\n')
}
const both = () =>
  calls(call('task', { agent_type: 'code', prompt: 'CHILD-ONE' }), call('task', { agent_type: 'code', prompt: 'CHILD-TWO' }))
const run = (command: string) => calls(call('shell', { command }))
const edit = (number: number, text: string) => calls(call('shell', { command: `sed -i '${number}s/.*/${text}/' a.txt && cat a.txt` }))

/** Returns the results that the parent's model got. */
const results = ({ model }: Family): string => JSON.stringify(model.requests.at(-1)?.body.messages.at(-1)?.content)
const waiting = (state: SessionState) => state.items.flatMap((item) => (item.kind === 'call' && item.status === 'waiting' ? [item] : []))

/** Returns a script with two children, each of which runs one command. */
const scripted =
  (one: () => ReturnType<typeof run>, two: () => ReturnType<typeof run>) =>
  ({ who, round }: Asked) => {
    if (who === 'PARENT') return round === 0 ? both() : say('Thanks.')
    return round > 0 ? say('Finished.') : who === 'CHILD-ONE' ? one() : two()
  }

/** The same script, but no child finishes before both commands have ended, so neither command sees the other child's changes. */
const sideBySide = (one: () => ReturnType<typeof run>, two: () => ReturnType<typeof run>) => {
  const script = scripted(one, two)
  const ran = { 'CHILD-ONE': Promise.withResolvers<void>(), 'CHILD-TWO': Promise.withResolvers<void>() }
  return async (asked: Asked) => {
    if (asked.round > 0 && (asked.who === 'CHILD-ONE' || asked.who === 'CHILD-TWO')) {
      ran[asked.who].resolve()
      await Promise.all([ran['CHILD-ONE'].promise, ran['CHILD-TWO'].promise])
    }
    return script(asked)
  }
}

/** Waits for a request of the parent and answers it. `choices`: one side for each conflict of `a.txt`. */
async function answer(family: Family, kind: 'sign' | 'refuse', choices?: readonly ('now' | 'before')[]): Promise<void> {
  const item = await asked(family)
  const { approvalId, hash } = item.approval
  const path = join(family.folder, 'a.txt')
  const amendments = choices && [{ kind: 'conflicts', path, choices } as const]
  const given = kind === 'refuse' ? ({ kind, note: null } as const) : ({ kind, ...(amendments && { amendments }) } as const)
  expect(await family.parent.answer({ approvalId, hash, answer: given, from: 'terminal' })).toMatchObject({ kind: 'accepted' })
}

async function asked({ parent: { record } }: Family) {
  const open = await record.until(() => waiting(record.state())[0] ?? null, AbortSignal.timeout(60_000))
  if (!open.approval) throw new Error('Nothing waits for a signature.')
  return { ...open, approval: open.approval }
}

describe.skipIf(hasNoCopies)('subagents that write side by side, each in its own copy', { timeout: 60_000 }, () => {
  it('merge changes of different lines of the same file', async () => {
    const family = await openFamily(
      sideBySide(
        () => edit(2, 'from one'),
        () => edit(8, 'from two'),
      ),
      { mode: 'accept-edits', prepare: files },
    )
    await family.ask()
    expect(readFileSync(join(family.folder, 'a.txt'), 'utf8')).toBe(withLine(8, 'from two', LINES.with(1, 'from one')))
    expect(family.children().map(({ parent }) => parent?.ownCopy)).toEqual([true, true])
    expect(results(family)).toContain('Its changes were applied to the folder: a.txt.')
  })

  it('conflict if both changed the same line, and the first change is kept until the user decides', async () => {
    const script = sideBySide(
      () => edit(5, 'from one'),
      () => edit(5, 'from two'),
    )
    const family = await openFamily(script, { mode: 'accept-edits', prepare: files })
    const ended = family.ask()
    const { effects } = await asked(family)
    const conflicts = effects.flatMap((effect) => (effect.kind === 'write' && effect.conflict ? effect.conflict.regions : []))
    expect(conflicts.map(({ now, before, step }) => [now.lines, before.lines, step.lines])).toEqual([
      [['from one'], ['from two'], ['line 5']],
    ])
    expect(readFileSync(join(family.folder, 'a.txt'), 'utf8')).toBe(withLine(5, 'from one'))
    await answer(family, 'sign', ['before'])
    await ended
    expect(readFileSync(join(family.folder, 'a.txt'), 'utf8')).toBe(withLine(5, 'from two'))
  })

  it("keep the folder's lines if a conflict is signed without a choice, and the parent's result names the file", async () => {
    const script = sideBySide(
      () => edit(5, 'from one'),
      () => edit(5, 'from two'),
    )
    const family = await openFamily(script, { mode: 'accept-edits', prepare: files })
    const ended = family.ask()
    await answer(family, 'sign')
    await ended
    expect(readFileSync(join(family.folder, 'a.txt'), 'utf8')).toBe(withLine(5, 'from one'))
    expect(results(family)).toContain('In conflict: a.txt (1 places)')
  })

  it('each need their own signature in ask mode', async () => {
    const script = sideBySide(
      () => run('mkdir -p src/deep && echo new > src/deep/new.txt && rm b.txt'),
      () => edit(1, 'first'),
    )
    const family = await openFamily(script, { mode: 'ask', prepare: files })
    const before = treeOf(family.folder)
    const ended = family.ask()
    const { approvalId, hash } = (await asked(family)).approval
    const forReal = { approvalId, hash, answer: { kind: 'run_for_real' }, from: 'terminal' } as const
    expect(await family.parent.answer(forReal)).toMatchObject({ kind: 'ignored', why: 'cannot_amend' })
    expect(treeOf(family.folder)).toEqual(before)
    await answer(family, 'sign')
    await answer(family, 'sign')
    await ended
    expect(existsSync(join(family.folder, 'b.txt'))).toBe(false)
    expect(readFileSync(join(family.folder, 'src/deep/new.txt'), 'utf8')).toBe('new\n')
    expect(readFileSync(join(family.folder, 'a.txt'), 'utf8')).toBe(withLine(1, 'first'))
  })

  it('show the second subagent’s changes on top of the first’s once those are applied', async () => {
    const script = sideBySide(
      () => edit(2, 'from one'),
      () => edit(8, 'from two'),
    )
    const family = await openFamily(script, { mode: 'ask', prepare: files })
    const ended = family.ask()
    const { record } = family.parent
    await record.until(() => waiting(record.state()).length === 2 || null, AbortSignal.timeout(60_000))
    await answer(family, 'sign')
    const afterFirst = withLine(2, 'from one')
    const open = await record.until(() => {
      const [item] = waiting(record.state())
      const write = item?.effects.find((effect) => effect.kind === 'write')
      return write?.before === sha256(afterFirst) && waiting(record.state()).length === 1 ? write : null
    }, AbortSignal.timeout(60_000))
    expect(open).toMatchObject({ after: sha256(withLine(8, 'from two', LINES.with(1, 'from one'))), lines: { added: 1, removed: 1 } })
    await answer(family, 'sign')
    await ended
    expect(readFileSync(join(family.folder, 'a.txt'), 'utf8')).toBe(withLine(8, 'from two', LINES.with(1, 'from one')))
  })

  it('leave every byte of the folder unchanged if the changes are refused', async () => {
    const script = sideBySide(
      () => edit(1, 'x'),
      () => run('rm a.txt && echo c > c.txt'),
    )
    const family = await openFamily(script, { mode: 'ask', prepare: files })
    const before = treeOf(family.folder)
    const ended = family.ask()
    await answer(family, 'refuse')
    await answer(family, 'refuse')
    await ended
    expect(treeOf(family.folder)).toEqual(before)
    expect(results(family)).toContain('The user refused its changes, and nothing was applied.')
  })

  it('use the same copy for edit tools and commands', async () => {
    const family = await openFamily(
      ({ who, round, newest }) => {
        if (who === 'PARENT') return round === 0 ? calls(call('task', { agent_type: 'code', prompt: 'CHILD-ONE' })) : say('Thanks.')
        if (round === 0) return calls(call('write_file', { file_path: 'made.txt', content: 'by a tool\n' }))
        if (round === 1) return run('cat made.txt && echo by a command >> made.txt')
        if (round === 2) return calls(call('read_file', { file_path: 'made.txt' }))
        return say(newest.includes('by a command') ? 'Seen.' : 'Not seen.')
      },
      { mode: 'accept-edits', prepare: files },
    )
    await family.ask()
    expect(results(family)).toContain('Seen.')
    expect(readFileSync(join(family.folder, 'made.txt'), 'utf8')).toBe('by a tool\nby a command\n')
  })

  it('leave no copy of the folder behind, whether or not anything changed', async () => {
    const family = await openFamily(
      sideBySide(
        () => edit(2, 'one'),
        () => run('cat a.txt'),
      ),
      { mode: 'accept-edits', prepare: files },
    )
    await family.ask()
    expect(readFileSync(join(family.folder, 'a.txt'), 'utf8')).toBe(withLine(2, 'one'))
    expect(readdirSync(join(family.app.parts.dataFolder, 'subagents'))).toEqual([])
  })

  it('keep their request across a restart of the app, and their changes can be applied then', async () => {
    const script = sideBySide(
      () => edit(2, 'one'),
      () => run('echo two > b.txt'),
    )
    const family = await openFamily(script, { mode: 'ask', prepare: files })
    const before = treeOf(family.folder)
    void family.ask()
    await asked(family)
    await family.app.close()
    expect(treeOf(family.folder)).toEqual(before)
    const later = await family.again()
    await answer(later, 'sign')
    await answer(later, 'sign')
    await later.parent.running()?.idle()
    expect(readFileSync(join(family.folder, 'a.txt'), 'utf8')).toBe(withLine(2, 'one'))
    expect(readFileSync(join(family.folder, 'b.txt'), 'utf8')).toBe('two\n')
  })

  it('write in the folder itself one at a time if copies are unavailable, and the result says where they worked', async () => {
    const script = scripted(
      () => edit(2, 'one'),
      () => edit(8, 'two'),
    )
    const family = await openFamily(script, { mode: 'accept-edits', sandbox: 'off', prepare: files })
    const ended = family.ask()
    for (let child = 0; child < 2; child++) {
      await expect.poll(() => family.children().some(({ run }) => run === 'AWAITING_INPUT')).toBe(true)
      expect(family.children().filter(({ run }) => run !== 'IDLE')).toHaveLength(1)
      const open = await family.child(child)
      const { approval } = waiting(open.record.state())[0] ?? {}
      if (!approval) throw new Error('Nothing waits for a signature.')
      const { approvalId, hash } = approval
      await open.answer({ approvalId, hash, answer: { kind: 'sign' }, from: 'terminal' })
      await expect.poll(() => open.record.state().run).toBe('IDLE')
    }
    await ended
    expect(results(family)).toContain(
      'The subagent worked in the folder itself, where only one subagent may write at a time: Commands do not run in copies here.',
    )
    expect(readFileSync(join(family.folder, 'a.txt'), 'utf8')).toBe(withLine(8, 'two', LINES.with(1, 'one')))
  })
})
