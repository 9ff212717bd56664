import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createAmending } from '../../main/changes/amending.ts'
import { type CheckedResult, checkResult } from '../../main/layers/check-result.ts'
import type { CheckItem } from '../../shared/api/bring-in.ts'
import type { Amendment } from '../../shared/session/amendment.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import type { Family } from '../subagents/support/family.ts'
import { beside, broughtIn, once, request, text } from './support/beside.ts'

/** Checks what is brought in, and returns the last thing that the check says. */
async function checked(family: Family, command: string, amendments: readonly Amendment[] = []): Promise<CheckItem> {
  const session = await broughtIn(family)
  const { approvalId } = (await request(session)).approval
  return lastItem(family, { sessionId: session.sessionId, approvalId, amendments, command })
}

async function lastItem({ app }: Family, what: CheckedResult): Promise<CheckItem> {
  const parts = {
    ...app,
    amending: createAmending(app.store.blobs),
    copiesIn: ({ copies }: Parameters<Parameters<typeof checkResult>[0]['copiesIn']>[0]) => copies,
  }
  let last: CheckItem = { kind: 'preparing' }
  for await (const item of checkResult(parts, what, AbortSignal.timeout(60_000))) last = item
  return last
}

const left = ({ folder }: Family): readonly string[] =>
  readdirSync(join(dirname(folder), 'data/subagents')).filter((name) => name !== 'bin')

describe.skipIf(hasNoCopies)('a check of what is brought in', { timeout: 60_000 }, () => {
  it('sees the folder with the changes, changes neither the folder nor the layer, and leaves nothing behind', async () => {
    const family = await beside(once("sed -i '2s/.*/layer/' a.txt && rm b.txt && mkdir new && echo c > new/c.txt"))
    await family.ask()
    writeFileSync(join(family.folder, 'later.txt'), 'in the folder since\n')
    const item = await checked(family, 'sed -n 2p a.txt; cat new/c.txt later.txt; ls b.txt; echo made > made.txt; exit 3')
    expect(item).toMatchObject({ kind: 'ended', passed: false, why: 'exit 3' })
    expect(item.kind === 'ended' && item.tail).toMatch(/^layer\nc\nin the folder since\n[\s\S]*No such file/u)
    expect([text(family, 'b.txt'), existsSync(join(family.folder, 'made.txt')), existsSync(join(family.folder, 'new'))]).toEqual([
      'b\n',
      false,
      false,
    ])
    expect(left(family)).toEqual([family.parent.sessionId])
  })

  it('leaves out what the user would not sign', async () => {
    const family = await beside(once("sed -i '2s/.*/layer/' a.txt && rm b.txt"))
    await family.ask()
    const amendments = [{ kind: 'leave', path: join(family.folder, 'b.txt') }] as const
    expect(await checked(family, 'cat b.txt && grep -q layer a.txt', amendments)).toMatchObject({
      kind: 'ended',
      passed: true,
      tail: 'b\n',
    })
  })

  it('says why it cannot run if the request was answered', async () => {
    const family = await beside(once('rm b.txt'))
    await family.ask()
    const session = await broughtIn(family)
    const { approval } = await request(session)
    const { approvalId, hash } = approval
    await session.answer({ approvalId, hash, answer: { kind: 'refuse', note: null }, from: 'terminal' })
    await session.running()?.idle()
    expect(await lastItem(family, { sessionId: session.sessionId, approvalId, amendments: [], command: 'true' })).toMatchObject({
      kind: 'failed',
      trouble: { code: 'not_checked', what: expect.stringContaining('answered or replaced') },
    })
  })

  it('says why it cannot run if a decision is about a file that is not in the request', async () => {
    const family = await beside(once('rm b.txt'))
    await family.ask()
    const amendments = [{ kind: 'leave', path: join(family.folder, 'other.txt') }] as const
    expect(await checked(family, 'true', amendments)).toMatchObject({ kind: 'failed', trouble: { code: 'not_checked' } })
  })
})
