import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { call, calls, message, say } from '../../support/scripted-model.ts'
import { expect, needsCopies, test } from '../support/desk-test.ts'
import { armed, ledger, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

needsCopies()

let server: Server
let requests = 0
let address = ''

test.beforeEach(async () => {
  requests = 0
  server = createServer((_request, response) => {
    requests += 1
    response.end('served')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
test.afterEach(() => void server.close())

// By default curl does not use the proxy for loopback addresses. This option makes it use the proxy.
const fetching = () =>
  call('shell', { command: `echo fetching; curl -sS -m 100 --noproxy "" http://${address}/; echo went on`, timeout_ms: 120_000 })

test('a command that tries to reach a host waits in the tray, and continues once the host is allowed', async ({ page, opened }, info) => {
  const { scripted } = await opened([message([fetching()]), say('Done.')], 'Fetch it')
  await expect(tray(page)).toContainText('reach 127.0.0.1 in the copy?')
  await expect(tray(page)).toContainText(`Port ${address.split(':')[1]}. Every other host remains blocked.`)
  await expect(ledger(page)).toContainText('In a copy')
  await expect(ledger(page)).toContainText('fetching')
  await expect(ledger(page)).toContainText('Stopped at the network. Your folder is untouched.')
  expect(requests).toBe(0)
  await expect(armed(page)).toBeVisible()
  await keepPictures(page, info, 'network-ask')
  await tray(page).getByRole('button', { name: 'Allow once' }).click()
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  expect(requests).toBe(1)
  expect(JSON.stringify((await scripted.request(1)).body)).toContain('served')
  await expect(ledger(page)).toContainText(`in a copy, changed nothing, reached ${address}`)
})

test(
  'a command that failed because it could not reach a local port runs again once the port is allowed',
  { tag: '@slow' },
  async ({ page, opened }, info) => {
    const [, port = ''] = address.split(':')
    const plain = call('shell', { command: `curl -sS -m 20 http://localhost:${port}/` })
    const { scripted } = await opened([message([plain]), say('Done.')], 'Fetch it')
    await expect(tray(page)).toContainText(`reach localhost:${port} in the copy?`)
    await expect(tray(page)).toContainText(`Port ${port} of this machine, where a program listens. The command failed without it.`)
    await expect(armed(page)).toBeVisible()
    await keepPictures(page, info, 'network-ask-port')
    expect(requests).toBe(0)
    await tray(page).getByRole('button', { name: 'Allow once' }).click()
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    expect(requests).toBe(1)
    expect(JSON.stringify((await scripted.request(1)).body)).toContain('served')
  },
)

test(
  'a refused host is shown to the agent and the user, and the command continues without it',
  { tag: '@slow' },
  async ({ page, opened, put }) => {
    await put('a.txt', 'a\n')
    const writes = call('shell', { command: `curl -sS -m 100 --noproxy "" http://${address}/; echo b > a.txt`, timeout_ms: 120_000 })
    const { scripted } = await opened([message([writes]), say('Done.')], 'Fetch it')
    await expect(armed(page)).toBeVisible()
    await page.keyboard.press('Control+j')
    await page.keyboard.press('Control+Delete')
    await expect(tray(page)).toContainText(`The command asked for ${address}, but the network access was blocked.`)
    await expect(armed(page)).toBeVisible()
    await page.keyboard.press('Control+j')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    expect(requests).toBe(0)
    expect(JSON.stringify((await scripted.request(1)).body)).toContain(`could not reach ${address}`)
  },
)

for (const [button, where] of [
  ['Allow in this session', 'one session'],
  ['Allow in this project', null],
] as const)
  test(`${button} makes a rule, so that the same host is not asked about again`, { tag: '@slow' }, async ({ page, opened, places }) => {
    await opened([message([fetching()]), message([fetching()]), say('Done.')], 'Fetch it twice')
    await expect(armed(page)).toBeVisible()
    await tray(page).getByRole('button', { name: button }).click()
    await expect(page.getByText('Done.', { exact: true })).toBeVisible()
    expect(requests).toBe(2)
    await page.keyboard.press('Control+,')
    const row = page.getByRole('row').filter({ hasText: 'Network 127.0.0.1' })
    await expect(row).toContainText(where ?? places.project.split('/').at(-1) ?? '')
    await expect(row).toContainText('1 time')
  })

test('a host allowed for the session in a subagent’s request is allowed for its parent too', { tag: '@slow' }, async ({ page, opened }) => {
  const rounds = new Map<string, number>()
  await opened(({ body }) => {
    const who = JSON.stringify(body.messages[0]?.content).includes('CHILD-FETCH') ? 'child' : 'parent'
    const round = rounds.get(who) ?? 0
    rounds.set(who, round + 1)
    if (who === 'child') return round === 0 ? message([fetching()]) : say('Fetched by the subagent.')
    if (round === 0) return calls(call('task', { agent_type: 'code', prompt: 'CHILD-FETCH it.', description: 'Fetch' }, 'p1'))
    return round === 1 ? message([fetching()]) : say('Done.')
  }, 'Fetch it')
  await expect(tray(page)).toContainText('asked by the code agent')
  await expect(armed(page)).toBeVisible()
  await tray(page).getByRole('button', { name: 'Allow in this session' }).click()
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  expect(requests).toBe(2)
})
