import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { confineIn } from '../../main/hooks/confined-hooks.ts'
import { createUnconfinedHooks } from '../../main/hooks/unconfined-hooks.ts'
import { createHooks } from '../../main/hooks/run-hooks.ts'
import { createTransport } from '../../main/providers/http/transport.ts'
import { systemClock } from '../../main/environment/system-clock.ts'
import { createKnownSecrets } from '../../main/redaction/known-secrets.ts'
import { SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import type { Hook, HookRun } from '../../shared/session/hooks.ts'

interface Heard {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const DENY = JSON.stringify({ hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no' } })

/** Runs one PreToolUse hook whose input is sent to a server that gives this answer. */
async function sent(
  answer: { readonly status: number; readonly text: string },
  { http = {}, isFree = true, ...more }: Partial<Hook> & { readonly isFree?: boolean } = {},
): Promise<{ readonly run: HookRun | undefined; readonly heard: readonly Heard[] }> {
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece: Buffer) => (body += piece.toString()))
    request.on('end', () => {
      heard.push({ headers: request.headers, body })
      response.writeHead(answer.status, { location: 'http://127.0.0.1:9/' }).end(answer.text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const transport = createTransport({ clock: systemClock, connectMs: 5_000 })
  onTestFinished(() => (transport.close(), void server.close()))
  const one: Hook = {
    event: 'PreToolUse',
    matcher: '',
    command: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    http,
    ...more,
    timeoutMs: 10_000,
    source: 'hooks.json',
    from: 'project',
  }
  const free = createUnconfinedHooks({ read: () => null, write: () => {} })
  free.set('/', one, isFree, [])
  const environment = createLocalExecutionEnvironment('/')
  const redactor = createKnownSecrets()
  redactor.add('key', 'sk-ant-nobodys-key-of-the-person')
  const hooks = createHooks({
    hooks: [one],
    env: environment,
    project: '/',
    home: null,
    sessionId: SessionId.parse('s1'),
    redactor,
    confine: confineIn({ environment, folder: '/', copies: null, isSandboxRequired: true }, { free, home: null }),
    post: { transport, variables: { TEAM: 'shop' } },
  })
  const { runs } = await hooks.run(
    {
      event: 'PreToolUse',
      toolCallId: ToolCallId.parse('c1'),
      toolName: 'shell',
      args: { command: 'echo sk-ant-nobodys-key-of-the-person' },
    },
    { mode: 'ask', model: { provider: 'anthropic', model: 'm', baseUrl: null }, turns: () => [], signal: new AbortController().signal },
  )
  return { run: runs[0], heard }
}

test.each([
  [200, DENY, { outcome: 'blocked', says: 'no' }],
  [200, 'fine', { outcome: 'passed', says: '' }],
  [500, DENY, { outcome: 'failed', says: expect.stringMatching(/\/hook answered with status 500\.$/u) }],
  [302, '', { outcome: 'failed', says: expect.stringContaining('status 302') }],
])('an http hook understands the answer %i %s', async (status, text, expected) => {
  expect((await sent({ status, text })).run).toMatchObject(expected)
})

test('an http hook sends the input without secrets, and in its headers only the allowed variables', async () => {
  const headers = { authorization: 'Bearer $TEAM-${OTHER}' }
  const { heard } = await sent({ status: 200, text: '' }, { http: { headers, variables: ['TEAM'] } })
  expect(heard[0]?.headers).toMatchObject({ authorization: 'Bearer shop-', 'content-type': 'application/json' })
  expect(JSON.parse(heard[0]?.body ?? '')).toMatchObject({ hook_event_name: 'PreToolUse', tool_name: 'Bash' })
  expect(heard[0]?.body).not.toContain('nobodys-key')
})

test('an http hook sends nothing before the user allows it, and nothing if one of its variables is not set', async () => {
  const confined = await sent({ status: 200, text: '' }, { isFree: false })
  expect(confined).toMatchObject({ run: { outcome: 'failed', says: expect.stringContaining('not allowed it in Settings') }, heard: [] })
  const unset = await sent({ status: 200, text: '' }, { http: { headers: { a: '$KEY' }, variables: ['KEY'] } })
  expect(unset).toMatchObject({ run: { outcome: 'failed', says: expect.stringContaining('the variable KEY') }, heard: [] })
})
