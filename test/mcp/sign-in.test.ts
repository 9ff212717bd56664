import { expect, onTestFinished, test } from 'vitest'
import type { RunContext } from '../../main/agent/ports/tool.ts'
import type { McpServers } from '../../main/mcp/servers.ts'
import { startOAuthMcpServer } from '../support/oauth-mcp-server.ts'
import { approve, FOLDER, inMemory, startServers, stateOf, toolNamed, until } from './support/started-servers.ts'

async function guarded(options: { readonly refuses?: boolean } = {}) {
  const server = await startOAuthMcpServer(options)
  onTestFinished(() => server.close())
  const credentials = inMemory()
  const open = (): McpServers => startServers({ guarded: { type: 'http', url: server.url, headers: {} } }, new Map(), credentials)
  return { server, credentials, open }
}

const signInOf = (servers: McpServers) => stateOf(servers, 'guarded')?.signIn
const needed = (servers: McpServers) => until(servers, () => signInOf(servers)?.kind === 'needed')

/** Begins to sign in, and returns the address that the person is to open. */
async function begun(servers: McpServers): Promise<string> {
  await needed(servers)
  await servers.signIn(FOLDER, 'guarded')
  const signIn = signInOf(servers)
  if (signIn?.kind !== 'waiting') throw new Error('There is nowhere to go.')
  return signIn.address
}

const call = async (servers: McpServers): Promise<unknown> => {
  const prepared = await toolNamed(servers, 'mcp__guarded__who').prepare({}, {} as never)
  if (prepared.kind === 'rejected') throw new Error('It was rejected.')
  const signal = new AbortController().signal
  return (await prepared.commit({ signal, progress: () => {}, ask: () => Promise.resolve(null) } as unknown as RunContext)).output
}

test('a server that wants to know who asks says so, and works once the person has signed in; nothing is opened before', async () => {
  const { server, credentials, open } = await guarded()
  const servers = open()
  const address = await begun(servers)
  expect(server.seen).toEqual([''])
  expect(new URL(address).searchParams.get('code_challenge_method')).toBe('S256')
  expect(await (await fetch(address)).text()).toContain('You are signed in.')
  await approve(servers, 'guarded')
  expect(signInOf(servers)).toEqual({ kind: 'signed_in' })
  expect(await call(servers)).toBe('It is you.')
  expect(credentials.text).toContain('refresh_token')
  expect(JSON.stringify(servers.state())).not.toContain('access-')
})

test('who has signed in stays so in the next start, and an expired token is renewed without a word', async () => {
  const { server, open } = await guarded()
  const first = open()
  await fetch(await begun(first))
  await approve(first, 'guarded')
  await first.close()
  server.expire()
  const next = open()
  await approve(next, 'guarded')
  expect([server.renewals(), await call(next)]).toEqual([1, 'It is you.'])
})

test('when the server takes neither token any more, the call fails with the reason, and the person can sign in again', async () => {
  const { server, open } = await guarded()
  const servers = open()
  await fetch(await begun(servers))
  await approve(servers, 'guarded')
  server.revoke()
  expect(await call(servers)).toContain('wants you to sign in')
  await needed(servers)
  await fetch(await begun(servers))
  await until(servers, () => stateOf(servers, 'guarded')?.status === 'running')
  expect(await call(servers)).toBe('It is you.')
})

test('signing out removes the tokens, and the server starts without them', async () => {
  const { server, credentials, open } = await guarded()
  const servers = open()
  await fetch(await begun(servers))
  await approve(servers, 'guarded')
  await servers.signOut(FOLDER, 'guarded')
  await needed(servers)
  expect([credentials.text, server.seen.at(-1)]).toEqual([null, ''])
})

test.each([
  ['with another secret', (address: URL) => address.searchParams.set('state', 'guessed')],
  ['on another page', (address: URL) => (address.pathname = '/other')],
])('an answer %s is refused, and the wait goes on', async (_, change) => {
  const { credentials, open } = await guarded()
  const servers = open()
  const address = await begun(servers)
  const redirected = await fetch(address, { redirect: 'manual' })
  const right = new URL(redirected.headers.get('location') ?? '')
  const wrong = new URL(right)
  change(wrong)
  expect((await fetch(wrong)).status).toBe(400)
  expect([credentials.text, signInOf(servers)?.kind]).toEqual([null, 'waiting'])
  await fetch(right)
  await until(servers, () => signInOf(servers)?.kind === 'signed_in')
})

test('a refusal at the server is in its log, and signing in can be tried again', async () => {
  const { open, credentials } = await guarded({ refuses: true })
  const servers = open()
  expect(await (await fetch(await begun(servers))).text()).toContain('You are not signed in.')
  await needed(servers)
  expect(stateOf(servers, 'guarded')?.log.at(-1)).toBe('The sign-in failed: The server refused: access_denied.')
  expect(credentials.text).toBeNull()
})

test('a cancelled sign-in closes its address', async () => {
  const { open } = await guarded()
  const servers = open()
  const redirected = await fetch(await begun(servers), { redirect: 'manual' })
  servers.cancelSignIn(FOLDER, 'guarded')
  expect(signInOf(servers)).toEqual({ kind: 'needed' })
  await expect(fetch(redirected.headers.get('location') ?? '')).rejects.toThrow('fetch failed')
})
