import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { call, calls, gate, say, text } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, send, test, type DeskFixtures } from '../support/desk-test.ts'
import { armed, composer, ledger, sign, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

test.use({ sandbox: 'off' })

const strip = (page: Page) => page.getByRole('contentinfo')
const trouble = (page: Page) => page.locator('[data-tray]')
const setting = (data: string, fields: object): Promise<void> => writeFile(join(data, 'settings.json'), JSON.stringify(fields))

/** Opens a session whose first request uses more than the budget of the session. */
async function overBudget(
  places: DeskFixtures['places'],
  put: DeskFixtures['put'],
  opened: DeskFixtures['opened'],
): ReturnType<DeskFixtures['opened']> {
  await setting(places.data, { budgetTokens: 20_000 })
  await put('a.txt', 'one\n')
  const usage = { input: 30_000, output: 10 }
  const first = { ...calls(call('read_file', { file_path: 'a.txt' })), usage }
  return opened(({ index }) => (index === 0 ? first : say('Went on.')), 'Read')
}

const HAIKU = { provider: 'anthropic', model: 'claude-haiku-4-5' }

test('a turn stops at its round limit, keeps its work, and can continue for the same number of rounds', async ({
  page,
  places,
  put,
  opened,
}, info) => {
  await setting(places.data, { maxRounds: 2 })
  await put('a.txt', 'one\n')
  const { scripted } = await opened(
    ({ index }) => (index < 3 ? calls(call('read_file', { file_path: 'a.txt', offset: index + 1 })) : say('Now it is done.')),
    'Read',
  )
  await expect(trouble(page)).toContainText('The turn has reached its limit')
  await expect(trouble(page)).toContainText('The turn has reached its limit of 2 rounds.')
  await expect(trouble(page)).toContainText('Everything done so far is kept.')
  await expect(trouble(page)).toContainText('Or press “Resume” to continue with the same limit again.')
  await expect(strip(page)).toContainText('Waiting for you: the turn has reached its limit')
  expect(scripted.requests).toHaveLength(2)
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'rounds')
  await trouble(page).getByRole('button', { name: 'Resume', exact: true }).click()
  await expect(ledger(page)).toContainText('Now it is done.')
  await expect(trouble(page)).toHaveCount(0)
  expect(scripted.requests).toHaveLength(4)
})

test('a used-up token budget stops the next request before it is sent, until the settings allow more', async ({
  page,
  places,
  put,
  opened,
}, info) => {
  const { scripted } = await overBudget(places, put, opened)
  await expect(trouble(page)).toContainText('The budget of 20,000 tokens is used up.')
  await expect(trouble(page)).toContainText('Press “Raise to 40,000 tokens and resume”. This changes the limit in the settings.')
  expect(scripted.requests).toHaveLength(1)
  await keepPictures(page, info, 'budget')
  await trouble(page).getByRole('button', { name: 'Open settings' }).click()
  const field = page.getByLabel('Tokens per session', { exact: true })
  await expect(field).toBeFocused()
  await field.fill('200000')
  await field.press('Enter')
  await expect(page.getByText(/^Saved \d\d:\d\d:\d\d$/).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await trouble(page).getByRole('button', { name: 'Resume', exact: true }).click()
  await expect(ledger(page)).toContainText('Went on.')
  expect(scripted.requests).toHaveLength(2)
})

test('a used-up budget is raised and the turn resumed with one press', async ({ page, places, put, opened }, info) => {
  const { scripted } = await overBudget(places, put, opened)
  const raise = trouble(page).getByRole('button', { name: 'Raise to 40,000 tokens and resume' })
  await expect(raise).toBeVisible()
  await keepPictures(page, info, 'raise')
  await raise.click()
  await expect(ledger(page)).toContainText('Went on.')
  expect(scripted.requests).toHaveLength(2)
  await page.keyboard.press('Control+,')
  await expect(page.getByLabel('Tokens per session', { exact: true })).toHaveValue(/^40,?000$/u)
})

test('a used-up turn budget stops the next request before it is sent, and the next message has the full budget again', async ({
  page,
  places,
  put,
  opened,
}, info) => {
  await setting(places.data, { ...HAIKU, turnBudgetUsd: 0.05 })
  await put('a.txt', 'one\n')
  const { scripted } = await opened(
    ({ index }) =>
      index === 0 ? { ...calls(call('read_file', { file_path: 'a.txt' })), usage: { input: 100_000, output: 0 } } : say('Went on.'),
    'Read',
  )
  await expect(trouble(page)).toContainText('The budget of $0.05 for one turn is used up.')
  expect(scripted.requests).toHaveLength(1)
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'turn-budget')
  await send(page, 'Go on')
  await expect(ledger(page)).toContainText('Went on.')
  await expect(trouble(page)).toHaveCount(0)
  expect(scripted.requests).toHaveLength(2)
})

test('from 80 % on, the strip says how full the context window is and when it is compacted', async ({ page, places, opened }, info) => {
  await setting(places.data, HAIKU)
  await opened([{ ...say('Read it all.'), usage: { input: 170_000, output: 100 } }], 'Read all of it')
  await expect(ledger(page)).toContainText('Read it all.')
  await expect(strip(page)).toContainText(/Context 85\s%, compacted at 92\s%/)
  await expect(page.getByText(/^The context is more than 80\s% full\. It is compacted at 92\s%\.$/)).toBeAttached()
  await expect(strip(page).getByRole('meter', { name: 'Context' })).toHaveAttribute('aria-valuenow', '85')
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'warned')
})

test('the cost of the next request is shown next to Send, and grows with the text', async ({ page, places, opened }, info) => {
  await setting(places.data, HAIKU)
  await opened([{ ...say('Looked.'), usage: { input: 100_000, output: 0 } }], 'Look')
  const tools = page.getByRole('region', { name: 'Composer' })
  // Writing 100,000 tokens to the cache costs 12.5 cents, at 1.25 dollars per million.
  await expect(tools).toContainText(/Next request up to \$0\.1[23]/)
  await keepPictures(page, info, 'price')
  await composer(page).fill('words '.repeat(20_000))
  await expect(tools).toContainText('Next request up to $0.16')
  await composer(page).fill('')
  await expect(tools).toContainText(/Next request up to \$0\.1[23]/)
})

test('effort can change during a session: the next request uses it, and it survives a reload', async ({ page, opened }) => {
  const { scripted } = await opened(({ index }) => say(`Answer ${index}.`), 'First')
  await expect(ledger(page)).toContainText('Answer 0.')
  const effort = page.getByRole('combobox', { name: 'Effort' })
  await effort.click()
  await page.getByRole('option', { name: /^high/ }).click()
  await expect(effort).toHaveText('Effort: high')
  await page.reload()
  await expect(effort).toHaveText('Effort: high')
  await send(page, 'Second')
  await expect(ledger(page)).toContainText('Answer 1.')
  const asked = scripted.requests.map(({ json }) => (json['output_config'] as { readonly effort?: string } | undefined)?.effort ?? null)
  expect(asked).toEqual([null, 'high'])
})

test('waiting messages can be reordered with buttons or moved back to the composer for editing, and reach the agent in the new order', async ({
  page,
  opened,
}, info) => {
  const { scripted } = await opened(
    ({ index }) => (index === 0 ? calls(call('shell', { command: '/bin/true' })) : say(`Answer ${index}.`)),
    'Begin',
  )
  await armed(page).waitFor()
  for (const words of ['First', 'Second', 'Third']) {
    await composer(page).fill(words)
    await page.keyboard.press('Alt+Enter')
  }
  const waiting = page.getByRole('list', { name: 'Waiting messages' }).getByRole('listitem')
  await expect(waiting).toHaveCount(3)
  await expect(waiting.nth(0).getByRole('button', { name: 'Sooner' })).toHaveCount(0)
  await waiting.nth(2).getByRole('button', { name: 'Sooner' }).click()
  await expect(waiting.nth(1)).toContainText('Third')
  await waiting.nth(1).getByRole('button', { name: 'Sooner' }).press('Enter')
  await expect(waiting.nth(0)).toContainText('Third')
  await waiting.filter({ hasText: 'First' }).getByRole('button', { name: 'Take back' }).click()
  await expect(composer(page)).toHaveValue('First')
  await composer(page).fill('First, mended')
  await page.keyboard.press('Alt+Enter')
  await expect(waiting).toHaveText([/Third/, /Second/, /First, mended/])
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'queue')
  await sign(page)
  await expect(ledger(page)).toContainText('Answer 4.')
  const last = (await scripted.request(4)).json['messages'] as readonly { readonly role: string; readonly content: unknown }[]
  const said = last.flatMap(({ role, content }) => (role === 'user' ? [JSON.stringify(content)] : []))
  const order = ['Third', 'Second', 'First, mended'].map((words) => said.findIndex((one) => one.includes(words)))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(order).not.toContain(-1)
})

test('a steering message is visible while it waits, then appears in the ledger where it reached the agent', async ({
  page,
  put,
  opened,
}, info) => {
  await put('a.txt', 'one\n')
  const held = gate()
  const { scripted } = await opened(async ({ index }) => {
    if (index === 0) await held.opened
    return index === 0 ? calls(text('I look first.'), call('read_file', { file_path: 'a.txt' })) : say('In French, then.')
  }, 'Explain')
  await scripted.request(0)
  await send(page, 'In French, please')
  const waiting = page.getByRole('list', { name: 'Waiting messages' }).getByRole('listitem')
  await expect(waiting).toContainText('In French, please')
  await expect(waiting).toContainText('reaches the agent after this round')
  held.open()
  await expect(ledger(page)).toContainText('In French, then.')
  await expect(waiting).toHaveCount(0)
  const words = (await ledger(page).innerText()).replaceAll(/\s+/g, ' ')
  const order = ['Explain', 'I look first.', 'a.txt', 'In French, please', 'In French, then.'].map((one) => words.indexOf(one))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(order).not.toContain(-1)
  await expect(ledger(page).getByRole('listitem').filter({ hasText: 'In French, please' })).toContainText(/steered/i)
  await keepPictures(page, info, 'steered')
})

test('a session that needs the user is marked in the list, the strip and the title until the user answers', async ({
  page,
  opened,
}, info) => {
  await opened(({ index }) => (index === 0 ? calls(call('shell', { command: '/bin/true' })) : say('Ran.')), 'Run it')
  await armed(page).waitFor()
  await expect(page.getByRole('navigation', { name: 'Sessions' }).getByRole('button', { name: /Run it/ })).toHaveAccessibleName(
    /needs you|command/i,
  )
  await expect(strip(page)).toContainText(/Waiting for you\s*\d:\d\d/)
  await expect(page).toHaveTitle(/^● Sign: .* — Countersign$/)
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'awaiting')
  await sign(page)
  await expect(ledger(page)).toContainText('Ran.')
  await expect(tray(page)).toHaveCount(0)
  await expect(strip(page)).not.toContainText('Waiting for you')
  await expect(page).toHaveTitle('Run it — Countersign')
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0)
})
