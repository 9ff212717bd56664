import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newId, type SessionId } from '../../shared/lib/ids.ts'
import { openDesk } from './support/served-desk.ts'

it('the user’s answer to the trust question applies in all windows and after a restart', async () => {
  const desk = await openDesk()
  const { client, folder } = desk
  const facts = (trust: 'unasked' | 'yes' | 'no') => {
    const configuration = trust === 'yes' ? expect.any(String) : null
    return { ok: true, facts: { folder, name: 'project', trust, wouldLoad: [], changed: [], configuration } }
  }
  expect(await client.workspace.inspect({ folder })).toEqual(facts('unasked'))
  expect(await client.workspace.trust({ folder, trusted: false })).toEqual({ ok: true })
  expect(await desk.window().workspace.inspect({ folder })).toEqual(facts('no'))
  expect(await client.workspace.trust({ folder, trusted: true })).toEqual({ ok: true })
  const next = await desk.again()
  expect(await next.client.workspace.inspect({ folder })).toEqual(facts('yes'))
})

it('trust belongs to the real folder behind a link, not to the link', async () => {
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

describe('trust covers only the configuration that was shown', () => {
  const put = (folder: string, name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const text = (value: string) => ({ kind: 'text', text: value })

  it('after a change, the old and new text of each changed file are shown, and no session works in the folder until the user answers', async () => {
    const desk = await openDesk()
    const { client, folder } = desk
    put(folder, '.mcp.json', '{"servers":1}')
    put(folder, '.countersign/hooks/on-start.sh', 'echo hi')
    put(folder, 'README.md', 'one')
    expect(await client.workspace.trust({ folder, trusted: true })).toEqual({ ok: true })
    const next = await desk.again()
    const inspected = () => next.client.workspace.inspect({ folder })
    const model = { provider: 'anthropic', model: 'claude-haiku-4-5' } as const
    const create = () => next.client.sessions.create({ folder, ...model })
    const created = await create()
    put(folder, 'README.md', 'two')
    expect(await inspected()).toMatchObject({ ok: true, facts: { trust: 'yes', changed: [] } })
    put(folder, '.mcp.json', '{"servers":2}')
    rmSync(join(folder, '.countersign/hooks/on-start.sh'))
    put(folder, '.countersign/hooks/deep/on-stop.sh', 'rm x')
    const facts = await inspected()
    expect(facts).toMatchObject({
      ok: true,
      facts: {
        trust: 'changed',
        changed: [
          { path: '.countersign/hooks/deep/on-stop.sh', before: null, after: text('rm x') },
          { path: '.countersign/hooks/on-start.sh', before: text('echo hi'), after: null },
          { path: '.mcp.json', before: text('{"servers":1}'), after: text('{"servers":2}') },
        ],
      },
    })
    expect(await create()).toMatchObject({ ok: false, trouble: { code: 'not_trusted' } })
    const again = await next.again()
    const send = { sessionId: (created as { sessionId: SessionId }).sessionId, inputId: newId('i'), text: 'go', delivery: 'steer' } as const
    expect(await again.client.sessions.send(send)).toMatchObject({ ok: false, trouble: { code: 'not_trusted' } })
    const { configuration } = (facts as { facts: { configuration: string } }).facts
    expect(await again.client.workspace.trust({ folder, trusted: true, configuration })).toEqual({ ok: true })
    expect(await again.client.workspace.inspect({ folder })).toMatchObject({ ok: true, facts: { trust: 'yes', changed: [] } })
    expect(await again.client.sessions.send(send)).toEqual({ ok: true })
  })

  it('an answer does not count if the configuration has changed again', async () => {
    const { client, folder } = await openDesk()
    await client.workspace.trust({ folder, trusted: true })
    put(folder, '.mcp.json', '1')
    const seen = await client.workspace.inspect({ folder })
    const { configuration } = (seen as { facts: { configuration: string } }).facts
    put(folder, '.mcp.json', '2')
    expect(await client.workspace.trust({ folder, trusted: true, configuration })).toMatchObject({
      ok: false,
      trouble: { code: 'configuration_changed' },
    })
    expect(await client.workspace.inspect({ folder })).toMatchObject({ facts: { trust: 'changed' } })
  })

  it('a file that is too long to show is still checked for changes', async () => {
    const { client, folder } = await openDesk()
    put(folder, '.countersign/hooks/tool', 'x'.repeat(100_000))
    await client.workspace.trust({ folder, trusted: true })
    put(folder, '.countersign/hooks/tool', `${'x'.repeat(99_999)}y`)
    expect(await client.workspace.inspect({ folder })).toMatchObject({
      facts: { trust: 'changed', changed: [{ after: { kind: 'too_large', bytes: 100_000 } }] },
    })
  })
})

it('no session starts in an untrusted folder, and the model gets no request', async () => {
  const { client, folder, model } = await openDesk()
  const created = await client.sessions.create({ folder, provider: 'anthropic', model: 'claude-haiku-4-5' })
  expect(created).toMatchObject({ ok: false, trouble: { what: expect.any(String) } })
  expect([model.requests, await client.workspace.recent({})]).toEqual([[], { folders: [] }])
})

it('a folder in which a session was started is among the recent folders', async () => {
  const desk = await openDesk()
  await desk.session()
  expect(await desk.client.workspace.recent({})).toEqual({ folders: [desk.folder] })
})

it('a path that is not a folder cannot be trusted, and the message says what to do', async () => {
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

it('a typed path is completed with the folders that begin with it', async () => {
  const { client, folder } = await openDesk()
  for (const name of ['alpha', 'alps', 'beta']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'alp.txt'), '')
  expect(await client.workspace.complete({ typed: join(folder, 'alp') })).toEqual({
    folders: [join(folder, 'alpha'), join(folder, 'alps')],
    exists: false,
  })
})
