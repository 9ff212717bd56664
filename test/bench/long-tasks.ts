import type { Browser, Page } from 'playwright/test'

/** Long tasks of a page's main thread, in ms. The browser reports only tasks above 50 ms. */
export interface LongTasks {
  readonly longest: number
  readonly count: number
}

/** Opens a new page that records its long tasks from the start. */
export async function watchedPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  const page = await context.newPage()
  await page.addInitScript(() => {
    const tasks: number[] = []
    Object.assign(window, { longTasks: tasks })
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      entryTypes: ['longtask'],
    })
  })
  return page
}

/**
 * Returns the long tasks since the last call. Waits for two frames and 100 ms first, because the browser reports tasks only after their
 * frame.
 */
export async function takeLongTasks(page: Page): Promise<LongTasks> {
  const durations = await page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
    await new Promise((resolve) => setTimeout(resolve, 100))
    return (window as unknown as { readonly longTasks: number[] }).longTasks.splice(0)
  })
  return { longest: Math.round(Math.max(0, ...durations)), count: durations.length }
}

/** Measures the long tasks of a bare list of the same texts: a plain scrolling box to which `atOnce` rows are added per frame. */
export async function blankList(browser: Browser, texts: readonly string[], atOnce = texts.length): Promise<LongTasks> {
  const page = await watchedPage(browser)
  await page.goto('data:text/html,<!doctype html><div id=box style="height:800px;overflow:auto"><ul id=list></ul></div>')
  await takeLongTasks(page)
  await page.evaluate(
    async ({ rows, count }) => {
      const list = document.querySelector('#list')
      for (let at = 0; at < rows.length; at += count) {
        const made = rows.slice(at, at + count).map((text) => {
          const row = document.createElement('li')
          const button = row.appendChild(document.createElement('button'))
          button.append(text)
          return row
        })
        list?.append(...made)
        await new Promise(requestAnimationFrame)
      }
    },
    { rows: texts, count: atOnce },
  )
  const tasks = await takeLongTasks(page)
  await page.context().close()
  return tasks
}
