import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { RunContext } from '../../main/agent/ports/tool.ts'
import type { ServerPrompt } from '../../main/mcp/folder-offers.ts'
import type { McpServers } from '../../main/mcp/servers.ts'
import type { ServerEntry } from '../../main/mcp/server-entries.ts'
import { type OAuthServerOptions, startOAuthMcpServer } from '../support/oauth-mcp-server.ts'
import { freePort } from '../support/scripted-model.ts'
import { approve, FOLDER, inMemory, node, startServers, stateOf, toolNamed, until } from './support/started-servers.ts'

type OAuth = Extract<ServerEntry, { readonly url: string }>['oauth']

async function guarded(options: OAuthServerOptions = {}, oauth?: OAuth) {
  const server = await startOAuthMcpServer(options)
  onTestFinished(() => server.close())
  const credentials = inMemory()
  const open = (): McpServers =>
    startServers({ guarded: { type: 'http', url: server.url, headers: {}, ...(oauth && { oauth }) } }, new Map(), credentials)
  return { server, credentials, open }
}

const signInOf = (servers: McpServers) => stateOf(servers, 'guarded')?.signIn
const needed = (servers: McpServers) => until(servers, () => signInOf(servers)?.kind === 'needed')

/** Begins to sign in, and returns the address that the user must open. */
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

test('a sign-in ends when its server is removed from the file', async () => {
  const { server, credentials } = await guarded()
  const entry: ServerEntry = { type: 'http', url: server.url, headers: {} }
  const listed = [{ name: 'guarded', entry }]
  const none = { servers: [], problems: [] }
  const read = () => ({ you: none, project: { servers: [...listed], problems: [] } })
  const servers = startServers({}, new Map(), credentials, undefined, { read })
  const address = await begun(servers)
  listed.length = 0
  servers.reread()
  await expect(fetch(address)).rejects.toThrow()
  expect(credentials.text ?? '').not.toContain('refresh_token')
})

test('signing in to or out of a server that is a program does not start the program', async () => {
  let starts = 0
  const target = () => Promise.reject(new Error(`start ${++starts}`))
  const servers = startServers({ program: node('server.js') }, new Map(), inMemory(), undefined, { target })
  await until(servers, () => stateOf(servers, 'program')?.status === 'failed')
  await expect(servers.signIn(FOLDER, 'program')).rejects.toThrow('There is no MCP server program with an address.')
  await servers.signOut(FOLDER, 'program')
  expect(starts).toBe(1)
})

test('a server that requires a sign-in works once the user has signed in', async () => {
  const { server, credentials, open } = await guarded()
  const servers = open()
  const address = await begun(servers)
  expect(new Set(server.seen)).toEqual(new Set(['']))
  expect(new URL(address).searchParams.get('code_challenge_method')).toBe('S256')
  expect(await (await fetch(address)).text()).toContain('You are signed in.')
  await approve(servers, 'guarded')
  expect(signInOf(servers)).toEqual({ kind: 'signed_in' })
  expect(await call(servers)).toBe('It is you.')
  expect(credentials.text).toContain('refresh_token')
  expect(JSON.stringify(servers.state())).not.toContain('access-')
})

test('a sign-in survives a restart, and an expired token is renewed silently', async () => {
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

test('if the server rejects both tokens, the call fails with the reason and the user can sign in again', async () => {
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

test('the user can sign in to a server that gives its metadata and scope only when it refuses a request', async () => {
  const { server, open } = await guarded({ hidesMetadata: true })
  const servers = open()
  await fetch(await begun(servers))
  await approve(servers, 'guarded')
  expect([server.scopes, await call(servers)]).toEqual([['tickets:read'], 'It is you.'])
})

test('sign-in to a server that registers no apps uses the client id, secret, scopes and port of its entry', async () => {
  const callbackPort = await freePort()
  const registered = { id: 'my-app', secret: 'my-secret' }
  const { server, open } = await guarded({ registered }, { clientId: 'my-app', clientSecret: 'my-secret', scopes: 'a b', callbackPort })
  const servers = open()
  const address = await begun(servers)
  expect(new URL(address).searchParams.get('redirect_uri')).toBe(`http://localhost:${callbackPort}/callback`)
  const stray = request({ port: callbackPort, path: '//' }).end()
  const [refused] = (await once(stray, 'response')) as [IncomingMessage]
  expect(refused.resume().statusCode).toBe(400)
  await fetch(address)
  await approve(servers, 'guarded')
  server.expire()
  expect([server.scopes, await call(servers), server.renewals()]).toEqual([['a b'], 'It is you.', 1])
})

test('a port that cannot be opened is reported', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  const { open } = await guarded({}, { clientId: 'c', callbackPort: port })
  await expect(begun(open())).rejects.toThrow(`Port ${port} on this computer cannot be opened`)
})

test.each([
  ['a prompt', (servers: McpServers) => servers.prompt(FOLDER, servers.prompts(FOLDER)[0] as ServerPrompt, {})],
  ['a resource', (servers: McpServers) => servers.resource(FOLDER, 'guarded', 'a://b')],
])('a server that refuses %s because the sign-in was revoked is marked as signed out', async (_, ask) => {
  const { server, open } = await guarded()
  const servers = open()
  await fetch(await begun(servers))
  await until(servers, () => stateOf(servers, 'guarded')?.status === 'running')
  expect(await ask(servers)).not.toBe('')
  server.revoke()
  await expect(ask(servers)).rejects.toThrow('wants you to sign in')
  await needed(servers)
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
])('a sign-in answer %s is refused, and the app keeps waiting', async (_, change) => {
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

test('a sign-in that the server refuses is logged and can be tried again', async () => {
  const { open, credentials } = await guarded({ refuses: true })
  const servers = open()
  expect(await (await fetch(await begun(servers))).text()).toContain('You are not signed in.')
  await needed(servers)
  expect(stateOf(servers, 'guarded')?.log.at(-1)).toBe('The sign-in failed: The server refused: access_denied.')
  expect(credentials.text).toBeNull()
})

test('canceling a sign-in closes its callback address', async () => {
  const { open } = await guarded()
  const servers = open()
  const redirected = await fetch(await begun(servers), { redirect: 'manual' })
  servers.cancelSignIn(FOLDER, 'guarded')
  expect(signInOf(servers)).toEqual({ kind: 'needed' })
  await expect(fetch(redirected.headers.get('location') ?? '')).rejects.toThrow('fetch failed')
})
