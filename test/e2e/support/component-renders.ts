import type { Page } from 'playwright/test'

/** The members of React's internal record of a page that show what was rendered again. */
interface Fiber {
  readonly tag: number
  readonly flags: number
  readonly memoizedProps: object
  readonly alternate: Fiber | null
  readonly child: Fiber | null
  readonly sibling: Fiber | null
}

interface Counted {
  readonly renders: number
  readonly byProp: ReadonlyMap<string, number>
}

/**
 * Counts how often React renders a component of the page, starting with its first frame. It uses the hook of React's developer tools, so
 * the page is the shipped one. Call it before the page is opened. The returned function reads the count of all components, or of those
 * with a certain prop, because components have no names in the shipped page.
 */
export async function componentRenders(page: Page): Promise<(prop?: string) => Promise<number>> {
  await page.addInitScript(() => {
    const counted = { renders: 0, byProp: new Map<string, number>() }
    // These are the tags of class components and of function components (plain, memoized, or with a forwarded ref).
    const COMPONENTS = new Set([0, 1, 11, 14, 15])
    const PERFORMED_WORK = 1
    const count = (fiber: Fiber | null): void => {
      for (let one = fiber; one !== null; one = one.sibling) {
        if (COMPONENTS.has(one.tag) && (one.flags & PERFORMED_WORK) !== 0) {
          counted.renders++
          for (const prop of Object.keys(one.memoizedProps)) counted.byProp.set(prop, (counted.byProp.get(prop) ?? 0) + 1)
        }
        // If a fiber kept its children, nothing below it was rendered.
        if (one.alternate === null || one.child !== one.alternate.child) count(one.child)
      }
    }
    const onCommitFiberRoot = (_id: number, root: { readonly current: Fiber }): void => count(root.current)
    const hook = { supportsFiber: true, renderers: new Map(), inject: () => 1, onCommitFiberRoot, onCommitFiberUnmount: () => {} }
    Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook, counted })
  })
  return (prop) =>
    page.evaluate((name) => {
      const { counted } = window as unknown as { readonly counted: Counted }
      return name === undefined ? counted.renders : (counted.byProp.get(name) ?? 0)
    }, prop)
}
