import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright/test'
import { openStore } from '../../../main/store/open-store.ts'
import { NO_USAGE } from '../../../shared/session/content.ts'
import { call, calls, httpError, say } from '../../support/scripted-model.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { ledger } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'
import { keepScreens } from '../support/screens.ts'

const MODEL = 'claude-haiku-4-5'

test('a compaction in the ledger says what it kept and dropped, and can be undone there', async ({ page, places, desk }, info) => {
  await writeCompacted(places)
  const { address } = await desk()
  await page.goto(address)
  await expect(ledger(page)).toContainText('about 170k tokens became 20k')
  await page.keyboard.press('Control+5')
  const context = page.getByRole('region', { name: 'Context' })
  await expect(page.getByRole('heading', { name: '20k of 200k tokens' })).toBeVisible()
  await expect(context).toContainText('The newest messages and 2 older ones of yours, word for word.')
  await expect(context).toContainText('9 older messages, replaced by a summary.')
  await expect(context).toContainText('If you undo this, the conversation is compacted again only when the context window is full.')
  await expect(context).toContainText(/Next request<\s1\s¢ if the service has all of it cached, \$0\.03 if it has nothing cached/)
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'compacted')
  await ledger(page).getByRole('button', { name: 'Undo the compaction' }).click()
  await expect(ledger(page)).toContainText('The compaction was undone.')
  await expect(ledger(page).getByRole('button', { name: 'Undo the compaction' })).toHaveCount(0)
  const struck = ledger(page).getByRole('listitem').filter({ hasText: 'about 170k tokens became 20k' })
  await expect(struck.locator('[data-mark=undone]')).toHaveCount(1)
  await expect(struck).not.toContainText('What to do')
  await expect(strip(page)).toContainText(/Context 85\s%, compacted at 100\s%/)
  await keepScreens(page, info, 'undone')
})

test('a cost that depends on assumed cache prices says that these prices are assumed', async ({ page, opened, places }) => {
  await mkdir(places.data, { recursive: true })
  await writeFile(join(places.data, 'settings.json'), JSON.stringify({ provider: 'openai', model: 'gpt-6-astra' }))
  const usage = { input: 14_000, output: 200, cacheWrite: 10_000 }
  await opened([say('Days are milliseconds.', { usage })], 'What is a day here?', ({ url }) => ({
    OPENAI_API_KEY: 'sk-test-canary-0123456789',
    OPENAI_BASE_URL: `${url}/v1`,
  }))
  await expect(ledger(page)).toContainText('Days are milliseconds.')
  await page.keyboard.press('Control+5')
  const context = page.getByRole('region', { name: 'Context' })
  await expect(context.locator('dl > div').filter({ hasText: /^Cost/ })).toContainText(/\$0\.\d\d, cache prices assumed/)
  await expect(context).toContainText('The answer costs extra. The cache prices of GPT-6 Astra are assumed.')
})

test('the contents of the context window are listed part by part', async ({ page, opened, places }, info) => {
  await writeFile(join(places.project, 'AGENTS.md'), 'Use tabs, and say why. '.repeat(300))
  await writeFile(join(places.project, 'dates.ts'), 'export const DAY = 86_400_000\n'.repeat(400))
  const look = calls(call('read_file', { file_path: 'dates.ts' }), call('glob', { pattern: '*.ts' }))
  const usage = { input: 14_000, output: 200 }
  await opened([{ ...look, usage }, say('Days are milliseconds there.', { usage })], 'What is a day here?')
  await expect(ledger(page)).toContainText('Days are milliseconds there.')
  await page.keyboard.press('Control+5')
  const context = page.getByRole('region', { name: 'Context' })
  const part = (words: string): Locator => context.locator('dl > div').filter({ hasText: words })
  for (const words of ['Prompt', 'Project instructions and memory', 'Tools', 'Your messages', 'Answers and reasoning'])
    await expect(part(words)).toContainText(/[\d.]+k? tokens, (?:<\s)?\d+\s%/)
  await expect(part('Files read and searched')).toContainText(/\d\.\dk tokens, \d\d\s%/)
  expect(await axeFindings(page)).toEqual([])
  await keepScreens(page, info, 'context')
})

test('a retry counts down with its reason, and can be stopped', async ({ page, opened }, info) => {
  const { scripted } = await opened(() => httpError(529, 'overloaded_error', 'Overloaded', { 'retry-after': '55' }), 'Go')
  const counts = async (): Promise<void> => {
    await expect(ledger(page)).toContainText(/Next try in 0:\d\d/)
    await expect(ledger(page)).toContainText(/overloaded.*Attempt 2/s)
  }
  await counts()
  await ledger(page).getByRole('button', { name: 'Stop this turn' }).click()
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0)
  expect(scripted.requests).toHaveLength(1)
  // The check with axe may take so long that a countdown ends, so it gets a new turn with its own countdown.
  await send(page, 'Once more')
  await counts()
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'retry')
})

test('“Try now” makes the next attempt without waiting for the end of the countdown', async ({ page, opened }) => {
  const { scripted } = await opened(
    ({ index }) => (index === 0 ? httpError(529, 'overloaded_error', 'Overloaded', { 'retry-after': '55' }) : say('Back again.')),
    'Go',
  )
  await expect(ledger(page)).toContainText(/Next try in 0:\d\d/)
  await ledger(page).getByRole('button', { name: 'Try now' }).click()
  await expect(page.getByRole('paragraph').getByText('Back again.')).toBeVisible()
  expect(scripted.requests).toHaveLength(2)
})

test('within seconds a stalled answer shows what it is waiting for and since when, and it can be stopped', async ({
  page,
  opened,
}, info) => {
  await opened(() => ({ ...say('Some words. '.repeat(200)), delivery: { stops: [{ at: 1_500, next: 'stall' }] } }), 'Go')
  await expect(ledger(page)).toContainText(/Waiting for claude-\S+ to continue/, { timeout: 8_000 })
  await expect(ledger(page)).toContainText(/0:0[2-9]/)
  await keepPictures(page, info, 'stalled')
  await ledger(page).getByRole('button', { name: 'Stop this turn' }).click()
  await expect(page.getByText('Stopped by you')).toBeVisible()
})

const strip = (page: Page) => page.getByRole('contentinfo')

/** Writes an idle session whose conversation was compacted once. */
async function writeCompacted({ data, project }: { readonly data: string; readonly project: string }): Promise<void> {
  const opened = await openStore(data)
  if (!opened.ok) throw new Error(opened.failure.what)
  const store = opened.value
  store.folders.decide(project, true)
  const config = { provider: 'anthropic', model: MODEL, mode: 'ask', effort: null, baseUrl: null } as const
  const sessionId = store.sessions.create({ cwd: project, ...config })
  const usage = { ...NO_USAGE, input: 170_000 }
  const events: readonly [DurableEvent, ...DurableEvent[]] = [
    { kind: 'USER_INPUT', inputId: 'in-1', text: 'Mend the dates', delivery: 'prompt' },
    {
      kind: 'ASSISTANT_TURN',
      provider: 'anthropic',
      model: MODEL,
      stopReason: 'stop',
      responseId: null,
      usage,
      complete: true,
      parts: [{ kind: 'text', text: 'Mended.' }],
    },
    { kind: 'USAGE', turn: usage, total: usage, costUsd: 0.17 },
    {
      kind: 'COMPACTED',
      text: 'Dates were mended.',
      kept: 1,
      why: 'threshold',
      dropped: 9,
      pinned: 2,
      tokensBefore: 170_000,
      tokensAfter: 20_000,
    },
    { kind: 'PROCESSING_END', reason: 'completed' },
  ]
  store.log(sessionId).append(...events)
  store.close()
}
