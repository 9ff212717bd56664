import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { call, calls, say } from '../../support/scripted-model.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { sign } from '../support/on-the-desk.ts'

// The command needs a signature before it runs, as on a machine without a sandbox.
test.use({ sandbox: 'off' })

/**
 * Maximum memory growth in MB. A flood of 10 s is about 800 MB of output, which may not accumulate on either side (DESIGN §8, fault 27).
 * The command does not wait for its watchers, so output arrives as fast as it can be read, and V8's space for young objects alone grows by
 * 96 MB.
 */
const MAX_GROWTH = 180

test('fault 27: during ten seconds of `yes` output, memory stays bounded and typing is still drawn letter by letter', async ({
  page,
  places,
  put,
  opened,
}) => {
  test.slow()
  // The flood lasts at least ten seconds, and continues until the test has typed everything, however long that takes.
  const typed = join(places.project, 'typed')
  const flood = {
    command: `timeout 10 yes 0123456789; until [ -e '${typed}' ]; do timeout 1 yes 0123456789; done; echo the-end`,
    timeout_ms: 120_000,
  }
  const { pid } = await opened([calls(call('shell', flood)), say('It ended.')])
  await page.keyboard.press('Control+2')
  const before = { main: residentMb(pid), page: await heapMb(page) }
  expect(before.page).toBeGreaterThan(0)
  if (process.platform === 'linux') expect(before.main).toBeGreaterThan(0)
  await send(page, 'Flood it')
  await sign(page)
  await expect(page.locator('.xterm-rows')).toContainText('0123456789')
  const peak = highWater(pid)
  const letters = await drawnLetters(page, 'answers')
  await put('typed', '')
  expect(letters).toBe('answers'.length)
  await expect(page.getByText('It ended.', { exact: true })).toBeVisible({ timeout: 60_000 })
  const most = peak()
  await expect(page.locator('.xterm-rows')).toContainText('the-end')

  // The memory is sampled several times during the flood, because a peak may be gone when the flood has ended.
  if (process.platform === 'linux') expect(most.samples).toBeGreaterThan(10)
  expect(most.mb - before.main).toBeLessThan(MAX_GROWTH)
  expect((await heapMb(page)) - before.page).toBeLessThan(MAX_GROWTH)
  const screen = await screenOf(page)
  await page.reload()
  await expect(page.locator('.xterm-rows')).toContainText('the-end')
  await expect.poll(() => screenOf(page)).toEqual(screen)
})

/**
 * Types into the composer, each letter after the previous one has been drawn. Returns how many letters were drawn, each in its own frame.
 */
async function drawnLetters(page: Page, text: string): Promise<number> {
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.focus()
  let drawn = 0
  for (const [at, letter] of [...text].entries()) {
    await page.keyboard.press(letter === ' ' ? 'Space' : letter)
    const shown = await field.evaluate(
      (node, length) =>
        new Promise<boolean>((resolve) => requestAnimationFrame(() => resolve((node as HTMLTextAreaElement).value.length === length))),
      at + 1,
    )
    if (shown) drawn += 1
  }
  return drawn
}

/** Returns the resident memory of the shell's process, in MB. Always 0 on a system without /proc, so no growth is found there. */
function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Samples the resident memory ten times a second. The returned function stops the sampling and returns the peak. */
function highWater(pid: number): () => { readonly mb: number; readonly samples: number } {
  let mb = residentMb(pid)
  let samples = 1
  const timer = setInterval(() => {
    mb = Math.max(mb, residentMb(pid))
    samples += 1
  }, 100)
  return () => {
    clearInterval(timer)
    return { mb, samples }
  }
}

/** Returns the memory of the page's scripts after a garbage collection, in MB. */
async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  // Without this call the metrics are missing, and no error is reported.
  await session.send('Performance.enable')
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / 1024 / 1024
}

/** Returns the rows on screen, without trailing spaces. */
async function screenOf(page: Page): Promise<readonly string[]> {
  const rows = await page.locator('.xterm-rows > div').allInnerTexts()
  return rows.map((row) => row.trimEnd())
}
