import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OAuthMcpServer {
  /** The address of the MCP server. */
  readonly url: string
  /** The tokens of the requests, oldest first. */
  readonly seen: readonly string[]
  /** The scopes that the user was asked to allow, oldest first. */
  readonly scopes: readonly string[]
  /** Returns how many times a token was renewed. */
  readonly renewals: () => number
  /** Makes all access tokens given so far invalid. */
  expire(): void
  /** Makes the refresh tokens invalid too. */
  revoke(): void
  close(): void
}

export interface OAuthServerOptions {
  /** Whether the sign-in page refuses the user. */
  readonly refuses?: boolean
  /** The server's metadata is at a non-default address, which only the response to a refused request contains. */
  readonly hidesMetadata?: boolean
  /** The server does not let apps register, and accepts only this app. */
  readonly registered?: { readonly id: string; readonly secret: string }
}

/**
 * Starts an MCP server with a tool, a prompt and a resource behind OAuth: registration, code with PKCE, refresh. Opening its page signs
 * the user in at once.
 */
export async function startOAuthMcpServer({ refuses, hidesMetadata, registered }: OAuthServerOptions = {}): Promise<OAuthMcpServer> {
  const codes = new Map<string, string>()
  const seen = [] as string[]
  const scopes = [] as string[]
  let access = ''
  let refresh = ''
  let renewals = 0
  const server = createServer((request, response) => void answer(request, response))
  const give = (response: ServerResponse): void => {
    access = `access-${randomUUID()}`
    refresh = `refresh-${randomUUID()}`
    json(response, 200, { access_token: access, token_type: 'Bearer', expires_in: 3600, refresh_token: refresh })
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', base)
    const body = await bodyOf(request)
    const metadataPath = hidesMetadata ? '/odd/place' : '/.well-known/oauth-protected-resource'
    if (url.pathname.startsWith('/.well-known/oauth-protected-resource') && hidesMetadata) return json(response, 404, {})
    if (url.pathname.startsWith(metadataPath)) return json(response, 200, { resource: `${base}/mcp`, authorization_servers: [base] })
    if (url.pathname.startsWith('/.well-known/oauth-authorization-server'))
      return json(response, 200, metadata(base, registered === undefined))
    if (url.pathname === '/register')
      return json(response, 201, { ...(JSON.parse(body) as object), client_id: 'client-1', client_id_issued_at: 1 })
    if (url.pathname === '/authorize') {
      if (registered && url.searchParams.get('client_id') !== registered.id) return json(response, 400, { error: 'invalid_client' })
      scopes.push(url.searchParams.get('scope') ?? '')
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      const code = randomUUID()
      codes.set(code, url.searchParams.get('code_challenge') ?? '')
      if (refuses) back.searchParams.set('error', 'access_denied')
      else back.searchParams.set('code', code)
      return void response.writeHead(302, { location: back.href }).end()
    }
    if (url.pathname === '/token') {
      const form = new URLSearchParams(body)
      const isApp = form.get('client_id') === registered?.id && form.get('client_secret') === registered?.secret
      if (registered && !isApp) return json(response, 401, { error: 'invalid_client' })
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (form.get('grant_type') === 'authorization_code' && codes.get(form.get('code') ?? '') === challenge) return give(response)
      if (form.get('grant_type') !== 'refresh_token' || form.get('refresh_token') !== refresh || refresh === '')
        return json(response, 400, { error: 'invalid_grant' })
      renewals++
      return give(response)
    }
    const token = /^Bearer (.+)$/u.exec(request.headers.authorization ?? '')?.[1] ?? ''
    seen.push(token)
    if (token !== access || access === '') {
      if (hidesMetadata) response.setHeader('www-authenticate', `Bearer resource_metadata="${base}/odd/place", scope="tickets:read"`)
      return json(response, 401, { error: 'invalid_token' })
    }
    return rpc(response, body)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${base}/mcp`,
    seen,
    scopes,
    renewals: () => renewals,
    expire: () => void (access = ''),
    revoke() {
      access = ''
      refresh = ''
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const metadata = (base: string, registers: boolean) => ({
  issuer: base,
  authorization_endpoint: `${base}/authorize`,
  token_endpoint: `${base}/token`,
  ...(registers && { registration_endpoint: `${base}/register` }),
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: registers ? ['none'] : ['client_secret_post'],
})

function rpc(response: ServerResponse, body: string): void {
  if (body === '') return void response.writeHead(405).end()
  const { id, method, params } = JSON.parse(body) as {
    readonly id?: number
    readonly method: string
    readonly params?: { readonly protocolVersion?: string }
  }
  if (id === undefined) return void response.writeHead(202).end()
  const results: Readonly<Record<string, unknown>> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {}, prompts: {}, resources: {} },
      serverInfo: { name: 'guarded', version: '1' },
    },
    'tools/list': { tools: [{ name: 'who', description: 'Says who asks', inputSchema: { type: 'object', properties: {} } }] },
    'prompts/list': { prompts: [{ name: 'ask' }] },
    'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: 'Ask' } }] },
    'resources/list': { resources: [{ uri: 'a://b', name: 'b' }] },
    'resources/read': { contents: [{ uri: 'a://b', text: 'B' }] },
    'tools/call': { content: [{ type: 'text', text: 'It is you.' }] },
  }
  const result = results[method]
  json(response, 200, {
    jsonrpc: '2.0',
    id,
    ...(result === undefined ? { error: { code: -32601, message: 'No such method' } } : { result }),
  })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const bytes of request) body += String(bytes)
  return body
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
