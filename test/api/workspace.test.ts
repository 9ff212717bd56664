import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { openDesk } from './support/served-desk.ts'

it('a folder is unasked, then what the person said of it, also in another window and after the next start', async () => {
  const desk = await openDesk()
  const { client, folder } = desk
  const facts = (trust: 'unasked' | 'yes' | 'no') => ({ ok: true, facts: { folder, name: 'project', trust, wouldLoad: [] } })
  expect(await client.workspace.inspect({ folder })).toEqual(facts('unasked'))
  expect(await client.workspace.trust({ folder, trusted: false })).toEqual({ ok: true })
  expect(await desk.window().workspace.inspect({ folder })).toEqual(facts('no'))
  expect(await client.workspace.trust({ folder, trusted: true })).toEqual({ ok: true })
  const next = await desk.again()
  expect(await next.client.workspace.inspect({ folder })).toEqual(facts('yes'))
})

it('trust is bound to the real folder: a link to it is it, and a link that moves takes no trust along', async () => {
  const { client, folder } = await openDesk()
  const link = join(dirname(folder), 'link')
  symlinkSync(folder, link)
  expect(await client.workspace.trust({ folder: link, trusted: true })).toEqual({ ok: true })
  expect(await client.workspace.inspect({ folder })).toMatchObject({ ok: true, facts: { folder, trust: 'yes' } })
  const other = join(dirname(folder), 'other')
  mkdirSync(other)
  symlinkSync(other, join(folder, 'inner'))
  expect(await client.workspace.inspect({ folder: join(folder, 'inner') })).toMatchObject({
    ok: true,
    facts: { folder: other, trust: 'unasked' },
  })
})

it('no session begins in a folder that is not trusted, and nothing is asked of the model', async () => {
  const { client, folder, model } = await openDesk()
  const created = await client.sessions.create({ folder, provider: 'anthropic', model: 'claude-haiku-4-5' })
  expect(created).toMatchObject({ ok: false, trouble: { what: expect.any(String) } })
  expect([model.requests, await client.workspace.recent({})]).toEqual([[], { folders: [] }])
})

it('a folder in which a session began is among the recent ones', async () => {
  const desk = await openDesk()
  await desk.session()
  expect(await desk.client.workspace.recent({})).toEqual({ folders: [desk.folder] })
})

it('what is no folder is said in words, and cannot be trusted', async () => {
  const { client, folder, bugs } = await openDesk()
  const file = join(folder, 'file')
  writeFileSync(file, '')
  for (const wrong of [file, join(folder, 'missing')]) {
    expect(await client.workspace.inspect({ folder: wrong })).toMatchObject({ ok: false, trouble: { todo: expect.any(String) } })
    expect(await client.workspace.trust({ folder: wrong, trusted: true })).toMatchObject({
      ok: false,
      trouble: { todo: expect.any(String) },
    })
  }
  expect(bugs).toEqual([])
})

it('a typed path is completed with the folders that begin so', async () => {
  const { client, folder } = await openDesk()
  for (const name of ['alpha', 'alps', 'beta']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'alp.txt'), '')
  expect(await client.workspace.complete({ typed: join(folder, 'alp') })).toEqual({
    folders: [join(folder, 'alpha'), join(folder, 'alps')],
    exists: false,
  })
})
