import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CallItem } from '../../shared/session/state.ts'
import { hasNoCopies, treeOf } from '../environment/copy/support.ts'
import { calls, say } from '../support/scripted-model.ts'
import { answerCall, type RigOptions, waiting } from './support/rig.ts'
import { only, resultsOf, rigFor, shell } from './support/scripted-rig.ts'

async function running(command: string, options: RigOptions = {}) {
  const { rig, provider } = await rigFor([calls(shell(command)), say('Done.')], { inCopies: true, ...options })
  await writeFile(join(rig.folder, 'a.txt'), 'a\n')
  const before = treeOf(rig.folder)
  rig.session.submit('go')
  return { rig, before, result: () => resultsOf(provider.requests[1])[0] }
}

const noCopyOf = (item: CallItem | undefined) => item?.effects.map((effect) => (effect.kind === 'command' ? effect.noCopy : effect.kind))

describe.skipIf(hasNoCopies)('a command that cannot run, or fails, in a copy', { timeout: 60_000 }, () => {
  it('needs approval before it runs anywhere if its program cannot run in a copy, and the request gives the reason', async () => {
    const { rig, before, result } = await running('docker compose down --volumes && echo x > a.txt')
    const [asked] = await waiting(rig.session)
    expect(noCopyOf(asked)).toEqual([expect.stringContaining('docker needs the Docker socket')])
    expect(rig.kinds()).not.toContain('COPY_STARTED')
    answerCall(rig.session, asked, 'Not now.')
    await rig.session.idle()
    expect(treeOf(rig.folder)).toEqual(before)
    expect(result()).toEqual(['error', expect.stringMatching(/could not run in a copy: docker needs[^]*Not now\./u)])
  })

  it('needs approval to run for real if it failed because of the copy', async () => {
    const { rig } = await running('if [ -e /tmp/no-such-socket ]; then exit 0; fi; echo "Cannot connect to the Docker daemon" >&2; exit 1')
    const [asked] = await waiting(rig.session)
    expect(noCopyOf(asked)).toEqual(['The command needs the Docker socket, which cannot be reached from a copy.'])
    expect(asked?.effects).toMatchObject([{ kind: 'command' }])
    expect(asked?.effects[0]).not.toHaveProperty('sandbox')
    answerCall(rig.session, asked)
    await rig.session.idle()
    expect(rig.kinds()).toEqual(expect.arrayContaining(['COPY_FAILED', 'TOOL_EXECUTION_START']))
  })

  it('is offered for real as a whole if it wrote a file and its commit failed in the copy', async () => {
    const { rig, before } = await running(
      `echo b > b.txt; [ -e /tmp/no-such-socket ] || { echo "fatal: Unable to create '/r/.git/worktrees/w/index.lock': Read-only file system" >&2; exit 1; }`,
    )
    const [asked] = await waiting(rig.session)
    expect(noCopyOf(asked)).toEqual([expect.stringContaining('outside the folder')])
    expect(asked?.effects).toMatchObject([{ kind: 'command' }])
    expect(treeOf(rig.folder)).toEqual(before)
    answerCall(rig.session, asked, 'Not now.')
    await rig.session.idle()
    expect(treeOf(rig.folder)).toEqual(before)
  })

  it('gives the agent the output from the copy if the user refuses to let the command run for real', async () => {
    const { rig, result } = await running('echo "12 of 13 tests passed"; echo "getaddrinfo EAI_AGAIN db.example.org" >&2; exit 1')
    const [asked] = await waiting(rig.session)
    expect(noCopyOf(asked)).toEqual([expect.stringContaining('db.example.org')])
    answerCall(rig.session, asked, 'Not now.')
    await rig.session.idle()
    expect(result()).toEqual([
      'error',
      expect.stringMatching(
        /12 of 13 tests passed[^]*did not reach db\.example\.org[^]*did not run for real, because the user denied it\.[^]*Not now\./u,
      ),
    ])
  })

  it('keeps the result from the copy in plan mode, where nothing runs for real', async () => {
    const { rig, result } = await running('echo "Cannot connect to the Docker daemon" >&2; exit 1', { mode: 'plan' })
    await rig.session.idle()
    expect(only(rig, 'APPROVAL_REQUESTED')).toEqual([])
    expect(result()).toEqual(['error', expect.stringContaining('Docker daemon')])
  })

  it('needs no approval if it failed for a reason other than the copy', async () => {
    const { rig } = await running('echo "1 test failed" >&2; exit 1')
    await rig.session.idle()
    expect(only(rig, 'APPROVAL_REQUESTED')).toEqual([])
  })
})

describe.skipIf(hasNoCopies)('a user who wants a command to run for real instead', { timeout: 60_000 }, () => {
  const forReal = (session: Awaited<ReturnType<typeof running>>['rig']['session'], item: CallItem | undefined) => {
    if (!item?.approval) throw new Error('Nothing waits.')
    const { approvalId, hash } = item.approval
    return session.answer({ approvalId, hash, answer: { kind: 'run_for_real' }, from: 'terminal' })
  }

  it('must sign the command itself before it runs', async () => {
    const { rig, before } = await running('echo b >> a.txt')
    const [changes] = await waiting(rig.session)
    expect(forReal(rig.session, changes)).toEqual({ kind: 'accepted' })
    const words = await rig.session.record.until(() => {
      const item = rig.session.state().items.findLast((one) => one.kind === 'call')
      return item?.status === 'waiting' && item.approval?.approvalId !== changes?.approval?.approvalId ? item : null
    }, new AbortController().signal)
    expect(words.effects).toMatchObject([{ kind: 'command', command: 'echo b >> a.txt' }])
    expect(words.effects[0]).not.toHaveProperty('sandbox')
    expect(treeOf(rig.folder)).toEqual(before)
    answerCall(rig.session, words)
    await rig.session.idle()
    expect(await readFile(join(rig.folder, 'a.txt'), 'utf8')).toBe('a\nb\n')
    expect(only(rig, 'COPY_STARTED')).toHaveLength(1)
  })

  it('and then refuses that, so that the agent gets the output from the copy', async () => {
    const { rig, result } = await running('echo b >> a.txt; echo ran')
    const [changes] = await waiting(rig.session)
    forReal(rig.session, changes)
    const isNew = (item: CallItem | undefined) => item && item.approval?.approvalId !== changes?.approval?.approvalId
    const words = await rig.session.record.until(() => {
      const item = rig.session.state().items.find((one) => one.kind === 'call' && one.status === 'waiting')
      return item?.kind === 'call' && isNew(item) ? item : null
    }, new AbortController().signal)
    answerCall(rig.session, words, 'No.')
    await rig.session.idle()
    expect(result()).toEqual([
      'error',
      expect.stringMatching(/^ran\n[^]*ran only in a copy, and nothing was applied\.[^]*denied it\. The user says: No\./u),
    ])
  })

  it('can still choose this after a restart', async () => {
    const { rig } = await running('echo b >> a.txt')
    await waiting(rig.session)
    await rig.session.suspend()
    const next = await rig.takeOver()
    const [changes] = await waiting(next)
    expect(forReal(next, changes)).toEqual({ kind: 'accepted' })
    const words = await next.record.until(() => {
      const item = next.state().items.findLast((one) => one.kind === 'call')
      return item?.status === 'waiting' && !item.copy ? item : null
    }, new AbortController().signal)
    answerCall(next, words)
    await next.idle()
    expect(await readFile(join(rig.folder, 'a.txt'), 'utf8')).toBe('a\nb\n')
  })

  it('cannot choose this if the command did not run in a copy', async () => {
    const { rig } = await running('docker ps')
    const [asked] = await waiting(rig.session)
    expect(forReal(rig.session, asked)).toMatchObject({ kind: 'ignored', why: 'cannot_amend' })
    expect(rig.session.state().run).toBe('AWAITING_INPUT')
  })
})
