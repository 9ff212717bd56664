import type { Page } from 'playwright/test'

declare global {
  interface Window {
    violations: string[]
  }
}

/** Records what the page's content policy blocks, from the first byte on. */
export async function watchPolicy(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.violations = []
    document.addEventListener('securitypolicyviolation', (event) =>
      window.violations.push(`${event.violatedDirective} ${event.blockedURI}`),
    )
  })
}

/** Resolves when the browser has told all observers what is visible and React has drawn the result. */
export async function afterSight(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise<void>((seen) => {
      const observer = new IntersectionObserver(() => {
        observer.disconnect()
        seen()
      })
      observer.observe(document.body)
    })
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise<void>((next) => {
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => next())
        port1.start()
        port2.postMessage(null)
      })
    }
  })
}
