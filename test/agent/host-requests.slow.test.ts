import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { takeOverSession } from '../../main/agent/session.ts'
import { systemClock } from '../../main/environment/system-clock.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { answerCall, type RigOptions, waiting } from './support/rig.ts'
import { ends, only, resultsOf, rigFor, shell } from './support/scripted-rig.ts'

/** Starts a server on this machine that a copy can reach only through the proxy. */
async function served() {
  let requests = 0
  const server = createServer((_request, response) => {
    requests += 1
    response.end('served')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}/`, requests: () => requests }
}

// By default curl does not use the proxy for loopback addresses. This option makes it use the proxy.
const curl = (url: string) => `curl -sS -m 60 --noproxy "" ${url}`

async function running(command: string, options: RigOptions = {}) {
  const { rig, provider } = await rigFor([calls(shell(command)), say('Done.')], { inCopies: true, ...options })
  rig.session.submit('go')
  return { rig, result: () => resultsOf(provider.requests[1])[0] }
}

describe.skipIf(hasNoCopies)('a command in a copy that tries to reach a host', { timeout: 60_000 }, () => {
  it.each(['ask', 'accept-edits', 'auto', 'plan'] as const)('in %s mode waits until the host is allowed, then reaches it', async (mode) => {
    const { host, url, requests } = await served()
    const { rig, result } = await running(curl(url), { mode })
    const [asked] = await waiting(rig.session)
    expect(requests()).toBe(0)
    expect(asked?.effects.map(({ kind }) => kind)).toEqual(['command', 'network'])
    expect(asked?.effects[1]).toMatchObject({ host: '127.0.0.1', url: host })
    answerCall(rig.session, asked)
    await rig.session.idle()
    expect([requests(), result()]).toEqual([1, ['ok', expect.stringContaining('served')]])
    expect(only(rig, 'COPY_ENDED')).toMatchObject([{ reached: [host], blocked: [] }])
    expect(only(rig, 'COPY_STARTED')).toHaveLength(1)
  })

  it('continues without a refused host, and tells the agent which host was refused', async () => {
    const { host, url, requests } = await served()
    const { rig, result } = await running(`${curl(url)}; echo went on`)
    answerCall(rig.session, (await waiting(rig.session))[0], 'No.')
    await rig.session.idle()
    expect(requests()).toBe(0)
    expect(result()).toEqual(['ok', expect.stringMatching(new RegExp(`went on[^]*could not reach ${host}`, 'u'))])
    expect(ends(rig)).toMatchObject([[expect.anything(), 'done']])
  })

  it('asks about one host at a time, and needs another signature for its changes', async () => {
    const first = await served()
    const second = await served()
    const { rig } = await running(`${curl(first.url)} > a.txt & ${curl(second.url)} > b.txt & wait`)
    const asked: string[] = []
    for (let each = 0; each < 2; each++) {
      const pending = await waiting(rig.session)
      expect(pending).toHaveLength(1)
      asked.push(pending[0]?.effects.flatMap((effect) => (effect.kind === 'network' ? [effect.url] : []))[0] ?? '')
      answerCall(rig.session, pending[0])
    }
    expect(asked.toSorted()).toEqual([first.host, second.host].toSorted())
    const changed = await rig.session.record.until(() => {
      const item = rig.session.state().items.findLast((one) => one.kind === 'call')
      return item?.status === 'waiting' && item.copy?.outcome ? item : null
    }, new AbortController().signal)
    expect(changed.effects.map((effect) => ('shown' in effect ? effect.shown : effect.kind))).toEqual(['command', 'a.txt', 'b.txt'])
    answerCall(rig.session, changed)
    await rig.session.idle()
    expect([first.requests(), second.requests()]).toEqual([1, 1])
  })

  it('needs an answer for each port of localhost, even if a rule allows localhost', async () => {
    const { url, requests } = await served()
    const { port } = new URL(url)
    const rules = [{ when: { kind: 'host', pattern: 'localhost' }, answer: 'allow' }] as const
    const { rig } = await running(curl(`http://localhost:${port}/`), { rules })
    const [asked] = await waiting(rig.session)
    expect(asked?.effects[1]).toMatchObject({ kind: 'network', host: `localhost:${port}` })
    expect(requests()).toBe(0)
    await rig.session.stop()
  })

  it('withdraws its request if it ends or the turn is stopped', async () => {
    const { url, requests } = await served()
    const { rig } = await running(curl(url).replace('-m 60', '-m 1'))
    await waiting(rig.session)
    await rig.session.idle()
    expect(only(rig, 'APPROVAL_ANSWERED')).toMatchObject([{ answer: { kind: 'withdrawn', why: 'stopped' } }])
    const second = await running(curl(url))
    await waiting(second.rig.session)
    await second.rig.session.stop()
    expect(second.rig.session.state()).toMatchObject({ run: 'IDLE', open: [] })
    expect(only(second.rig, 'APPROVAL_ANSWERED')).toMatchObject([{ answer: { kind: 'withdrawn', why: 'stopped' } }])
    expect(requests()).toBe(0)
  })

  it('continues without the host if nobody answers within 2 minutes, and its request is withdrawn', async () => {
    const { host, url, requests } = await served()
    const script = [calls(shell(`${curl(url)}; echo went on`)), say('Done.')]
    const { rig, provider } = await rigFor(script, { inCopies: true, isLeftBehind: true })
    const waits: number[] = []
    const sleep = (ms: number): Promise<void> => Promise.resolve(void waits.push(ms))
    const parts = rig.parts()
    const session = await takeOverSession({ ...parts, dispatch: { ...parts.dispatch, clock: { ...systemClock, sleep } } })
    onTestFinished(() => session.suspend())
    session.submit('go')
    await session.idle()
    expect(only(rig, 'APPROVAL_ANSWERED')).toMatchObject([{ answer: { kind: 'withdrawn', why: 'timed_out' } }])
    expect(resultsOf(provider.requests[1])[0]).toEqual(['ok', expect.stringMatching(new RegExp(`went on[^]*could not reach ${host}`, 'u'))])
    expect([requests(), waits]).toEqual([0, [120_000]])
  })

  it.each(['ask', 'auto'] as const)('in %s mode runs again with access to a local port once the user allows the port', async (mode) => {
    const { url, requests } = await served()
    const { port } = new URL(url)
    const { rig, result } = await running(`echo tried >> tries.txt && curl -sS -m 20 ${url}`, { mode })
    const [asked] = await waiting(rig.session)
    expect(asked?.effects[1]).toMatchObject({ kind: 'network', host: `localhost:${port}` })
    expect(requests()).toBe(0)
    answerCall(rig.session, asked)
    if (mode === 'ask') answerCall(rig.session, (await waiting(rig.session))[0])
    await rig.session.idle()
    expect([requests(), result()]).toEqual([1, ['ok', expect.stringContaining('served')]])
    expect(only(rig, 'COPY_ENDED')).toMatchObject([{ reached: [`localhost:${port}`], blocked: [] }])
    expect(await readFile(join(rig.folder, 'tries.txt'), 'utf8')).toBe('tried\n')
  })

  it('fails if the port is refused, and tells the agent which port', async () => {
    const { url, requests } = await served()
    const { rig, result } = await running(`curl -sS -m 20 ${url}`)
    answerCall(rig.session, (await waiting(rig.session))[0], 'No.')
    await rig.session.idle()
    const port = `localhost:${new URL(url).port}`
    expect([requests(), result()]).toEqual([0, ['error', expect.stringMatching(new RegExp(`could not reach ${port}`, 'u'))]])
  })

  it('does not use up its time limit while it waits', async () => {
    const { url } = await served()
    const script = [calls(call('shell', { command: curl(url), timeout_ms: 5_000 })), say('Done.')]
    const { rig, provider } = await rigFor(script, { inCopies: true })
    rig.session.submit('go')
    const [asked] = await waiting(rig.session)
    await setTimeout(6_000)
    answerCall(rig.session, asked)
    await rig.session.idle()
    expect(resultsOf(provider.requests[1])[0]).toEqual(['ok', expect.stringContaining('served')])
  })
})
