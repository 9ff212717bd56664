import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startChild } from '../support/child.ts'
import { opened, session } from '../support/stores.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { aNumber, objectContaining } from '../support/matching.ts'

const ID = session('s')

it('only one of several opened stores can have a claim, and the others learn which process has it', async () => {
  const folder = tempFolder()
  const first = await opened(folder)
  const second = await opened(folder)
  const claim = first.claims.acquire(ID)
  expect(claim).toEqual({ ok: true, value: { pid: process.pid, processStartedAt: aNumber(), acquiredAt: 1_000, here: true } })
  expect(first.claims.acquire(ID)).toEqual(claim)
  expect(second.claims.acquire(ID)).toEqual({ ok: false, failure: objectContaining({ code: 'session_held' }) })
  expect(second.claims.holder(ID)).toEqual({ ...(claim.ok ? claim.value : {}), here: false })
  expect([...second.claims.running()]).toEqual([ID])
})

it('a claim ends when it is released or its store is closed, and can then be taken', async () => {
  const folder = tempFolder()
  const first = await opened(folder)
  const second = await opened(folder)
  first.claims.acquire(ID)
  second.claims.release(ID)
  expect(second.claims.acquire(ID).ok, 'only its holder can release it').toBe(false)
  first.claims.release(ID)
  expect(first.claims.holder(ID)).toBeNull()
  expect(second.claims.acquire(ID).ok).toBe(true)
  second.close()
  expect(first.claims.holder(ID)).toBeNull()
  expect(first.claims.acquire(ID).ok).toBe(true)
})

it('if eight processes try at the same moment, exactly one gets the claim', { timeout: 60_000 }, async () => {
  const folder = tempFolder()
  const children = Array.from({ length: 8 }, () => startChild('claim-holder', [folder, ID]))
  await Promise.all(children.map((child) => child.next()))
  for (const child of children) child.say('go')
  const answers = (await Promise.all(children.map((child) => child.next()))) as { kind: string; code?: string }[]
  expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['got', ...Array.from({ length: 7 }, () => 'refused')])
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['session_held', undefined]))
})

it('the claim of a killed process can be taken immediately', async () => {
  const folder = tempFolder()
  const child = startChild('claim-holder', [folder, ID])
  await child.next()
  child.say('go')
  expect(await child.next()).toEqual({ kind: 'got', pid: child.process.pid })
  const store = await opened(folder)
  expect(store.claims.acquire(ID).ok).toBe(false)
  expect(store.claims.holder(ID)).toMatchObject({ pid: child.process.pid, here: false })
  await child.kill('SIGKILL')
  expect(store.claims.holder(ID)).toBeNull()
  expect([...store.claims.running()]).toEqual([])
  expect(store.claims.acquire(ID)).toMatchObject({ ok: true, value: { pid: process.pid, here: true } })
})

it('a suspended process keeps its claim', async () => {
  const folder = tempFolder()
  const child = startChild('claim-holder', [folder, ID])
  await child.next()
  child.say('go')
  await child.next()
  child.process.kill('SIGSTOP')
  const store = await opened(folder)
  expect(store.claims.acquire(ID).ok).toBe(false)
  child.process.kill('SIGCONT')
  child.process.stdin?.end()
  expect(await child.next()).toEqual({ kind: 'closed' })
  expect(store.claims.acquire(ID).ok).toBe(true)
})

it('closing the store removes its own lock file', async () => {
  const folder = tempFolder()
  const store = await opened(folder)
  expect(readdirSync(join(folder, 'leases'))).toHaveLength(1)
  store.close()
  expect(readdirSync(join(folder, 'leases'))).toEqual([])
})

it('lock files of dead processes are removed when the store is opened, unless they are very new', async () => {
  const folder = tempFolder()
  const living = await opened(folder)
  const [lock = ''] = readdirSync(join(folder, 'leases'))
  const dead = ['old.lock', 'young.lock'].map((name) => join(folder, 'leases', name))
  for (const file of dead) writeFileSync(file, '')
  for (const file of [dead[0] ?? '', join(folder, 'leases', lock)]) utimesSync(file, 0, 0)
  const store = await opened(folder)
  const left = readdirSync(join(folder, 'leases'))
  expect(left.toSorted()).toEqual([lock, 'young.lock', ...left.filter((name) => name !== lock && name !== 'young.lock')].toSorted())
  expect(left).toHaveLength(3)
  expect(living.claims.acquire(ID).ok).toBe(true)
  expect(store.claims.acquire(ID).ok).toBe(false)
})

it('watchers of the session list are notified when another process claims a session and when that process dies', async () => {
  const folder = tempFolder()
  const store = await opened(folder)
  store.log(ID).append({ kind: 'USER_INPUT', inputId: 'i', text: 'hello', delivery: 'prompt' })
  const child = startChild('claim-holder', [folder, ID])
  await child.next()
  const heard: boolean[] = []
  let change = (): void => {}
  store.subscribeAll(({ running }) => {
    heard.push(running)
    change()
  })
  const next = (): Promise<void> => new Promise((resolve) => (change = resolve))
  const taken = next()
  child.say('go')
  await taken
  const lost = next()
  await child.kill('SIGKILL')
  await lost
  expect(heard).toEqual([true, false])
})

it('an invalid lock file does not prevent the store from opening, and counts as held by nobody', async () => {
  const folder = tempFolder()
  const first = await opened(folder)
  first.close()
  writeFileSync(join(folder, 'leases', 'junk.lock'), 'not a lock at all, but long enough to be looked at')
  mkdirSync(join(folder, 'leases', 'folder.lock'))
  const long = new Date(Date.now() - 3_600_000)
  for (const name of ['junk.lock', 'folder.lock']) utimesSync(join(folder, 'leases', name), long, long)
  const store = await opened(folder)
  expect(store.claims.acquire(ID).ok).toBe(true)
  expect(existsSync(join(folder, 'leases', 'folder.lock'))).toBe(true)
})
