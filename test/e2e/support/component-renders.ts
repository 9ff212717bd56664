import type { Page } from 'playwright/test'

/** The parts of React's own record of a page that tell what was rendered again. */
interface Fiber {
  readonly tag: number
  readonly flags: number
  readonly alternate: Fiber | null
  readonly child: Fiber | null
  readonly sibling: Fiber | null
}

/**
 * Counts how often React runs a component of the page from its first frame on, by the hook that its developer tools use: the page is the one
 * that is shipped. Call it before the page is opened; the answer reads the count.
 */
export async function componentRenders(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const counted = { renders: 0 }
    // function components, plain and memoised, and classes
    const COMPONENTS = new Set([0, 1, 11, 14, 15])
    const PERFORMED_WORK = 1
    const count = (fiber: Fiber | null): void => {
      for (let one = fiber; one !== null; one = one.sibling) {
        if (COMPONENTS.has(one.tag) && (one.flags & PERFORMED_WORK) !== 0) counted.renders++
        // below a fiber that keeps its children nothing was done
        if (one.alternate === null || one.child !== one.alternate.child) count(one.child)
      }
    }
    const onCommitFiberRoot = (_id: number, root: { readonly current: Fiber }): void => count(root.current)
    const hook = { supportsFiber: true, renderers: new Map(), inject: () => 1, onCommitFiberRoot, onCommitFiberUnmount: () => {} }
    Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook, counted })
  })
  return () => page.evaluate(() => (window as unknown as { readonly counted: { readonly renders: number } }).counted.renders)
}
