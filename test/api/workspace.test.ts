import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
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
  const many = (folder: string, count: number): void => {
    const hooks = join(folder, '.claude/hooks')
    mkdirSync(hooks, { recursive: true })
    for (let at = 0; at < count; at++) writeFileSync(join(hooks, `${at}.sh`), '')
  }
  function linkedHooks(folder: string): void {
    put(folder, 'tools/check.sh', '')
    mkdirSync(join(folder, '.claude'))
    symlinkSync('../tools', join(folder, '.claude/hooks'))
  }

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

  it.each([
    ['behind 200 other files', (folder: string) => many(folder, 200), '.claude/settings.json'],
    ['more than eight folders deep', () => {}, `.claude/hooks/${'deeper/'.repeat(12)}check.sh`],
    ['in a folder behind a link', linkedHooks, 'tools/check.sh'],
    ['of more than a megabyte, with the old size and time', () => {}, '.claude/hooks/tool'],
  ])('a changed file is noticed %s', async (_, prepare, name) => {
    const { client, folder } = await openDesk()
    const filler = name.endsWith('/tool') ? 'x'.repeat(1_100_000) : ''
    prepare(folder)
    put(folder, name, `one${filler}`)
    utimesSync(join(folder, name), 1, 1)
    await client.workspace.trust({ folder, trusted: true })
    expect(await client.workspace.inspect({ folder })).toMatchObject({ facts: { trust: 'yes' } })
    writeFileSync(join(folder, name), `two${filler}`)
    utimesSync(join(folder, name), 1, 1)
    expect(await client.workspace.inspect({ folder })).toMatchObject({ facts: { trust: 'changed', changed: [expect.anything()] } })
  })

  it('a configuration of more files than can be checked is never trusted, and the reason is shown', async () => {
    const { client, folder } = await openDesk()
    many(folder, 5_001)
    await client.workspace.trust({ folder, trusted: true })
    expect(await client.workspace.inspect({ folder })).toMatchObject({
      facts: { trust: 'changed', changed: [{ path: '.claude/hooks', after: text(expect.stringContaining('more than 5,000 files')) }] },
    })
    expect(await client.sessions.create({ folder, provider: 'anthropic', model: 'claude-haiku-4-5' })).toMatchObject({
      ok: false,
      trouble: { code: 'not_trusted' },
    })
  })

  it('a folder linked to itself has a finite configuration', async () => {
    const { client, folder } = await openDesk()
    put(folder, '.claude/hooks/check.sh', 'one')
    symlinkSync('.', join(folder, '.claude/hooks/again'))
    await client.workspace.trust({ folder, trusted: true })
    expect(await client.workspace.inspect({ folder })).toMatchObject({ facts: { trust: 'yes' } })
  })

  it('an MCP server is read from the accepted text even if much other text was accepted too', async () => {
    const { client, folder } = await openDesk()
    for (let at = 0; at < 100; at++) put(folder, `.agents/skills/big/${at}.md`, 'x'.repeat(60_000))
    put(folder, '.mcp.json', 'one')
    await client.workspace.trust({ folder, trusted: true })
    put(folder, '.mcp.json', 'two')
    put(folder, '.agents/skills/big/99.md', 'other')
    const facts = await client.workspace.inspect({ folder })
    expect(facts).toMatchObject({
      facts: {
        changed: [
          { path: '.agents/skills/big/99.md', before: { kind: 'too_large', bytes: 60_000 } },
          { path: '.mcp.json', before: text('one'), after: text('two') },
        ],
      },
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
