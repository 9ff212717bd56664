import type { Page } from 'playwright/test'
import { openStore } from '../../main/store/open-store.ts'
import type { BlobHash, ToolCallId } from '../../shared/lib/ids.ts'
import type { DurableEvent } from '../../shared/session/events.ts'
import { expect, test } from './support/desk-test.ts'

const CONFIG = { provider: 'anthropic', model: 'claude-test', mode: 'ask', effort: null, baseUrl: null } as const

/** Sessions of one request each, and one more whose only step changed so many files. */
async function written(data: string, folder: string, sessions: number, files: number): Promise<void> {
  const opened = await openStore(data)
  if (!opened.ok) throw new Error(opened.failure.what)
  const store = opened.value
  store.folders.decide(folder, true)
  const request = (text: string): DurableEvent => ({ kind: 'USER_INPUT', inputId: 'in', text, delivery: 'prompt' })
  const end: DurableEvent = { kind: 'PROCESSING_END', reason: 'completed' }
  for (let at = 0; at < sessions; at++) store.log(store.sessions.create({ cwd: folder, ...CONFIG })).append(request(`Request ${at}`), end)
  const toolCallId = 'call-1' as ToolCallId
  const facts = { before: null, beforeBytes: 0, afterBytes: 3, beforeMode: null, afterMode: 0o644, lines: { added: 1, removed: 0 } }
  const changed = Array.from({ length: files }, (_, at) => {
    const shown = `src/folder-${at % 40}/file-${at}.ts`
    return { path: `${folder}/${shown}`, shown, after: at.toString(16).padStart(64, '0') as BlobHash, ...facts }
  })
  const result = { output: '', outputBlob: null, modelText: null, isError: false, outcome: 'done', durationMs: 1, details: null } as const
  store
    .log(store.sessions.create({ cwd: folder, ...CONFIG }))
    .append(
      request('Change them all'),
      { kind: 'TOOL_CALL_START', toolCallId, toolName: 'shell', args: { command: 'true' } },
      { kind: 'FILES_CHANGED', toolCallId, files: changed },
      { kind: 'TOOL_CALL_END', toolCallId, toolName: 'shell', ...result },
      end,
    )
  store.close()
}

/** From now on: the most rows that came into the document at once, and the longest task (ms). */
async function watched(page: Page, rows: string): Promise<void> {
  await page.addInitScript((selector) => {
    const most = { rows: 0, task: 0 }
    Object.assign(window, { most })
    new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => (most.task = Math.max(most.task, duration)))).observe({
      entryTypes: ['longtask'],
    })
    let before = 0
    const look = (): void => {
      const now = document.querySelectorAll(selector).length
      most.rows = Math.max(most.rows, now - before)
      before = now
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  }, rows)
}

const mostOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { readonly most: { readonly rows: number; readonly task: number } }).most)

test('U11: 2,000 sessions are drawn a few with each frame, and in the end all are there', async ({ page, places, desk }, info) => {
  await written(places.data, places.project, 2_000, 1)
  const { address } = await desk()
  await watched(page, '[data-session-row]')
  await page.goto(address)
  await expect(page.locator('[data-session-row]')).toHaveCount(2_001)
  const { rows, task } = await mostOf(page)
  info.annotations.push({ type: 'longest task', description: `${task} ms` })
  expect(rows).toBeLessThanOrEqual(60)
})

test('U11: 3,000 changed files are drawn a few with each frame, and in the end all are there', async ({ page, places, desk }, info) => {
  await written(places.data, places.project, 0, 3_000)
  const { address } = await desk()
  const file = '[aria-label^="src/folder-"]'
  await watched(page, `section${file}`)
  await page.goto(address)
  await expect(page.locator(`section${file}`)).toHaveCount(3_000)
  const { rows, task } = await mostOf(page)
  info.annotations.push({ type: 'longest task', description: `${task} ms` })
  expect(rows).toBeLessThanOrEqual(60)
})
