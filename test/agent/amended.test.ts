import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Amendment } from '../../shared/session/amendment.ts'
import type { CallItem } from '../../shared/session/state.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type Rig, type RigOptions, waiting } from './support/rig.ts'
import { only, resultsOf, rigFor, shell, write } from './support/scripted-rig.ts'

type HunkDecision = Extract<Amendment, { readonly kind: 'hunks' }>['hunks'][number]['decision']

const OLD = 'one\ntwo\nthree\n4\n5\n6\n7\n8\n9\nten\neleven\n'
const NEW = OLD.replace('two', 'TWO').replace('ten', 'TEN')
const SED = shell("sed -i 's/two/TWO/; s/ten/TEN/' a.txt; echo more > b.txt; rm c.txt; echo ran")

async function asking(asked: ReturnType<typeof shell>, options: RigOptions = {}) {
  const { rig, provider } = await rigFor([calls(asked), say('Done.')], options)
  await writeFile(join(rig.folder, 'a.txt'), OLD)
  await writeFile(join(rig.folder, 'c.txt'), 'c')
  rig.session.submit('go')
  const [waits] = await waiting(rig.session)
  const file = (name: string): Promise<string> => readFile(join(rig.folder, name), 'utf8')
  return { rig, waits, file, at: (name: string) => join(rig.folder, name), result: () => resultsOf(provider.requests[1])[0] }
}

function sign(rig: Rig, item: CallItem | undefined, amendments: readonly Amendment[]) {
  if (!item?.approval) throw new Error('Nothing waits.')
  const { approvalId, hash } = item.approval
  return rig.session.answer({ approvalId, hash, answer: { kind: 'sign', amendments }, from: 'terminal' })
}

const CHANGES = '*** Update File: a.txt\n@@\n one\n-two\n+TWO\n three\n@@\n 9\n-ten\n+TEN\n eleven'

/** Returns an amendment with a decision for each of the two changed lines of a file. */
const lines = (path: string, first: HunkDecision, second: HunkDecision): Amendment => ({
  kind: 'hunks',
  path,
  hunks: [
    { before: [1, 2], after: [1, 2], decision: first },
    { before: [9, 10], after: [9, 10], decision: second },
  ],
})
const accept = { kind: 'accept' } as const
const reject = { kind: 'reject' } as const

describe('a patch signed in part', () => {
  const patch = call('apply_patch', {
    patch: `*** Begin Patch\n${CHANGES}\n*** Add File: b.txt\n+more\n*** Delete File: c.txt\n*** End Patch`,
  })

  it('writes exactly what was signed, and tells the agent how that differs from its proposal', async () => {
    const { rig, waits, file, at, result } = await asking(patch)
    const edit = { kind: 'edit', text: 'Mine\n' } as const
    expect(sign(rig, waits, [lines(at('a.txt'), reject, edit), { kind: 'leave', path: at('c.txt') }])).toEqual({ kind: 'accepted' })
    await rig.session.idle()
    expect([await file('a.txt'), await file('b.txt'), await file('c.txt')]).toEqual([OLD.replace('ten', 'Mine'), 'more\n', 'c'])
    const [kind, text] = result() ?? []
    expect(kind).toBe('ok')
    expect(text).toMatch(/refused it: c\.txt[^]*a\.txt: 0 of 2 hunks signed, 1 refused, 1 edited[^]*-TWO\n\+two[^]*-TEN\n\+Mine/u)
    const [answer] = only(rig, 'APPROVAL_ANSWERED')
    const signed = answer?.answer.kind === 'signed' ? answer.answer.amended : undefined
    expect(signed?.effects).toEqual(only(rig, 'TOOL_EXECUTION_START')[0]?.effects)
    expect(signed?.hash).not.toBe(waits?.approval?.hash)
    expect(only(rig, 'FILES_CHANGED').flatMap(({ files }) => files.map(({ shown }) => shown))).toEqual(['a.txt', 'b.txt'])
  })

  it('does not write a file whose hunks were all rejected', async () => {
    const { rig, waits, file, at } = await asking(patch)
    sign(rig, waits, [lines(at('a.txt'), reject, reject)])
    await rig.session.idle()
    expect([await file('a.txt'), existsSync(at('c.txt'))]).toEqual([OLD, false])
    expect(only(rig, 'FILES_CHANGED')[0]?.files.map(({ shown }) => shown)).not.toContain('a.txt')
  })

  it('writes nothing if a file has changed since the request', async () => {
    const { rig, waits, file, at, result } = await asking(patch)
    await writeFile(at('a.txt'), 'mine')
    sign(rig, waits, [lines(at('a.txt'), accept, reject)])
    await rig.session.idle()
    expect(result()?.[0]).toBe('error')
    expect([await file('a.txt'), existsSync(at('b.txt'))]).toEqual(['mine', false])
  })

  it.each([
    [
      'the answer leaves out every file',
      (at: (name: string) => string) => ['a.txt', 'b.txt', 'c.txt'].map((name) => ({ kind: 'leave', path: at(name) }) as const),
    ],
    [
      'the answer names a file that the request does not change',
      (at: (name: string) => string) => [{ kind: 'leave', path: at('other.txt') } as const],
    ],
    ['the hunks do not match the file', (at: (name: string) => string) => [{ kind: 'hunks', path: at('a.txt'), hunks: [] } as const]],
    [
      'the answer lists hunks for a file with none',
      (at: (name: string) => string) => [{ kind: 'hunks', path: at('c.txt'), hunks: [] } as const],
    ],
  ])('keeps waiting if %s', async (_, amendments) => {
    const { rig, waits, file, at } = await asking(patch)
    expect(sign(rig, waits, amendments(at))).toMatchObject({ kind: 'ignored', why: 'cannot_amend' })
    expect(rig.session.state().run).toBe('AWAITING_INPUT')
    expect(await file('a.txt')).toBe(OLD)
  })
})

it('a new file is written with the user’s edited text', async () => {
  const { rig, waits, file, at } = await asking(write('new.txt', 'proposed\n'))
  sign(rig, waits, [
    { kind: 'hunks', path: at('new.txt'), hunks: [{ before: [0, 0], after: [0, 1], decision: { kind: 'edit', text: 'mine\n' } }] },
  ])
  await rig.session.idle()
  expect(await file('new.txt')).toBe('mine\n')
})

it('a command that runs for real cannot be signed in part', async () => {
  const { rig, waits, at } = await asking(shell('echo x > a.txt'))
  expect(sign(rig, waits, [{ kind: 'leave', path: at('a.txt') }])).toMatchObject({ why: 'cannot_amend' })
})

describe.skipIf(hasNoCopies)('a command’s changes signed in part', { timeout: 60_000 }, () => {
  it('applies exactly what was signed', async () => {
    const { rig, waits, file, at, result } = await asking(SED, { inCopies: true })
    sign(rig, waits, [lines(at('a.txt'), accept, { kind: 'edit', text: 'Mine\n' }), { kind: 'leave', path: at('c.txt') }])
    await rig.session.idle()
    expect([await file('a.txt'), await file('b.txt'), await file('c.txt')]).toEqual([NEW.replace('TEN', 'Mine'), 'more\n', 'c'])
    expect(result()).toEqual(['ok', expect.stringMatching(/ran[^]*refused it: c\.txt[^]*-TEN\n\+Mine/u)])
  })

  it('tells the agent what was signed even if the command failed', async () => {
    const { rig, waits, at, result } = await asking(shell('echo more > b.txt; rm c.txt; exit 1'), { inCopies: true })
    sign(rig, waits, [{ kind: 'leave', path: at('c.txt') }])
    await rig.session.idle()
    expect([existsSync(at('b.txt')), existsSync(at('c.txt'))]).toEqual([true, true])
    expect(result()).toEqual(['error', expect.stringMatching(/Exit code: 1[^]*refused it: c\.txt/u)])
  })

  it('can be signed after a restart', async () => {
    const { rig, waits, file, at } = await asking(SED, { inCopies: true })
    await rig.session.suspend()
    const next = await rig.takeOver()
    const { approvalId, hash } = waits?.approval ?? { approvalId: '' as never, hash: '' }
    const amendments = [lines(at('a.txt'), reject, accept)]
    next.answer({ approvalId, hash, answer: { kind: 'sign', amendments }, from: 'terminal' })
    await next.idle()
    expect([await file('a.txt'), existsSync(at('c.txt'))]).toEqual([OLD.replace('ten', 'TEN'), false])
    expect(only(rig, 'COPY_STARTED')).toHaveLength(1)
  })
})
