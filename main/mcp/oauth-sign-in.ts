import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  auth,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  extractWWWAuthenticateParams,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { type Credentials, SignInNeeded, type StartSignIn } from './connection.ts'

/** Time limit for a sign-in in ms. After this time, the app closes the local address that waits for the answer. */
const SIGN_IN_MS = 10 * 60_000

/** Time limit in ms for the server to say how to sign in. */
const CHALLENGE_MS = 15_000

interface Kept {
  readonly client: StoredOAuthClientInformation
  /** Absent if the server no longer accepts the tokens. */
  readonly tokens?: StoredOAuthTokens
}

const metadata = (redirectUrl: string): OAuthClientMetadata => ({
  client_name: 'Countersign',
  redirect_uris: [redirectUrl],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
})

async function kept(credentials: Credentials): Promise<Kept | null> {
  const text = await credentials.read()
  return text === null ? null : (JSON.parse(text) as Kept)
}

/**
 * Authorizes requests with the stored tokens and stores renewed ones. If the user has to sign in again, no page is opened: the request
 * fails with `SignInNeeded`.
 */
export function keptSignIn(credentials: Credentials): OAuthClientProvider {
  const redirectUrl = 'http://127.0.0.1/callback'
  return {
    redirectUrl,
    clientMetadata: metadata(redirectUrl),
    clientInformation: async () => (await kept(credentials))?.client,
    tokens: async () => (await kept(credentials))?.tokens,
    async saveTokens(tokens) {
      const before = await kept(credentials)
      if (before) await credentials.write(JSON.stringify({ ...before, tokens } satisfies Kept))
    },
    async invalidateCredentials(what) {
      const before = await kept(credentials)
      if (before && what !== 'verifier' && what !== 'discovery')
        await credentials.write(JSON.stringify({ client: before.client } satisfies Kept))
    },
    redirectToAuthorization() {
      throw new SignInNeeded()
    },
    saveCodeVerifier() {},
    codeVerifier() {
      throw new SignInNeeded()
    },
  }
}

/** Whether a connection or a call failed because the server requires a sign-in. */
export function wantsSignIn(error: unknown): boolean {
  if (error instanceof SignInNeeded || error instanceof UnauthorizedError) return true
  if (error instanceof SdkHttpError && error.status === 401) return true
  return error instanceof Error && error.cause !== undefined && wantsSignIn(error.cause)
}

/**
 * Signs a user in to an MCP server (OAuth 2.1 with PKCE). Registers Countersign with the server unless the entry has a client id. The user
 * opens `address` in a browser. The answer arrives at an address of this machine, and counts only if it contains the secret of this
 * attempt.
 */
export const startSignIn: StartSignIn = async (entry, credentials, signal) => {
  const { url, oauth } = entry
  const listening = await listen(oauth?.callbackPort ?? 0)
  const ends = AbortSignal.any([signal, AbortSignal.timeout(SIGN_IN_MS)])
  ends.addEventListener('abort', () => close(listening), { once: true })
  // A user who registers an app by hand enters the redirect address that other agents use, which is on localhost.
  const host = oauth?.callbackPort === undefined ? '127.0.0.1' : 'localhost'
  const redirectUrl = `http://${host}:${(listening.address() as AddressInfo).port}/callback`
  const state = randomBytes(32).toString('base64url')
  const attempt = newAttempt(redirectUrl, state, { credentials, oauth })
  try {
    const challenge = await challengeOf(entry, ends)
    const about = { serverUrl: url, ...challenge, ...(oauth?.scopes && { scope: oauth.scopes }) }
    await auth(attempt.provider, about)
    const address = attempt.address()
    if (address === null) throw new Error('The server did not say where to sign in.')
    const finished = answered(listening, state, ends).then(async ({ code, iss }) => {
      await auth(attempt.provider, { ...about, authorizationCode: code, ...(iss !== null && { iss }) })
    })
    return { address, finished: finished.finally(() => close(listening)) }
  } catch (error) {
    close(listening)
    throw error
  }
}

async function listen(port: number): Promise<Server> {
  const listening = createServer().listen(port, '127.0.0.1')
  try {
    await once(listening, 'listening')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`Port ${port} on this computer cannot be opened, so no reply could arrive: ${why}`, { cause: error })
  }
  return listening
}

/** The address of the server's description of its sign-in, and the scope that it wants. Empty if the server does not say. */
async function challengeOf({ url, headers }: Parameters<StartSignIn>[0], signal: AbortSignal) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(CHALLENGE_MS)])
  try {
    const response = await fetch(url, { method: 'POST', headers: { ...headers, ...accept }, body, redirect: 'manual', signal: limit })
    await response.body?.cancel()
    const { resourceMetadataUrl, scope } = response.status === 401 ? extractWWWAuthenticateParams(response) : {}
    return { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope !== undefined && { scope }) }
  } catch {
    signal.throwIfAborted()
    return {}
  }
}

interface AttemptParts {
  readonly credentials: Credentials
  readonly oauth: Parameters<StartSignIn>[0]['oauth']
}

function newAttempt(redirectUrl: string, state: string, { credentials, oauth }: AttemptParts) {
  const { clientId, clientSecret } = oauth ?? {}
  let client: StoredOAuthClientInformation | undefined
  if (clientId !== undefined) client = { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) }
  let verifier = ''
  let discovered: OAuthDiscoveryState | undefined
  let address: string | null = null
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: metadata(redirectUrl),
    state: () => state,
    clientInformation: () => client,
    saveClientInformation: (given) => void (client = given),
    tokens: () => undefined,
    async saveTokens(tokens) {
      if (client) await credentials.write(JSON.stringify({ client, tokens } satisfies Kept))
    },
    redirectToAuthorization: (to) => void (address = to.href),
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier: () => verifier,
    // The discovered server is remembered, so that the code is sent only to the server that issued it.
    saveDiscoveryState: (found) => void (discovered = found),
    discoveryState: () => discovered,
  }
  return { provider, address: () => address }
}

interface Answer {
  readonly code: string
  readonly iss: string | null
}

/** Resolves to the first answer with the correct secret, or rejects if it has no code. Answers with another secret are refused. */
function answered(listening: Server, state: string, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('Nobody signed in.')), { once: true })
    listening.on('request', (request: IncomingMessage, response: ServerResponse) => {
      // `URL.parse` returns null for an invalid path such as `//`, which any program on this computer can send.
      const { pathname, searchParams = new URLSearchParams() } = URL.parse(request.url ?? '/', 'http://127.0.0.1') ?? {}
      if (pathname !== '/callback' || !isSame(searchParams.get('state') ?? '', state))
        return page(response, 400, 'This reply does not belong to any sign-in in progress.')
      const code = searchParams.get('code')
      if (code !== null) {
        page(response, 200, 'You are signed in. Close this page, and go back to Countersign.')
        return resolve({ code, iss: searchParams.get('iss') })
      }
      page(response, 200, 'You are not signed in. Close this page, and go back to Countersign.')
      reject(new Error(`The server refused: ${searchParams.get('error_description') ?? searchParams.get('error') ?? 'no reason'}.`))
    })
  })
}

function page(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'referrer-policy': 'no-referrer', connection: 'close' })
  response.end(words)
}

function isSame(given: string, wanted: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(wanted)
  return a.length === b.length && timingSafeEqual(a, b)
}

function close(listening: Server): void {
  listening.close()
}
