import { type Page, type TestInfo, expect } from 'playwright/test'
import { keepPictures } from './pictures.ts'
import { settled } from './settled.ts'

/** Sizes of the window in which everything must fit. A window that is 1440 px wide has a width of 720 px at 200 % zoom. */
const SIZES = [
  { width: 1920, height: 1080 },
  { width: 1440, height: 900 },
  { width: 1280, height: 800 },
  { width: 1080, height: 700 },
  { width: 900, height: 700 },
  { width: 720, height: 450 },
  { width: 700, height: 500 },
] as const

const WIDEST = { width: 1440, height: 900 }

/**
 * Returns what a user cannot reach or read: controls and keys that a pane cuts off or that lie outside the window, texts beyond its right
 * edge, and words that are wrapped into a column of single letters. What can be scrolled to vertically is in its place. `scrolls` says
 * that the page itself scrolls vertically.
 */
async function misplaced(page: Page, scrolls: boolean): Promise<readonly string[]> {
  return page.evaluate((pageScrolls) => {
    const isShown = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    const CONTROLS = 'button, a[href], input, textarea, summary, kbd, [role=tab], [role=option], [role=menuitem], [role=slider]'

    /** The side on which a control is cut off, and by what. Null if all of it can be seen, or scrolled to. */
    const cutBy = (control: Element): string | null => {
      const box = control.getBoundingClientRect()
      let isVerticalFree = pageScrolls
      for (let outer = control.parentElement; outer; outer = outer.parentElement) {
        const style = getComputedStyle(outer)
        const edge = outer.getBoundingClientRect()
        const cuts = (overflow: string): boolean => overflow !== 'visible' || style.clipPath !== 'none' || style.contain.includes('paint')
        const named = `${outer.tagName.toLowerCase()}.${outer.className}`
        if (cuts(style.overflowX) && box.left < edge.left - 1) return `left, by ${named}`
        if (cuts(style.overflowX) && box.right > edge.right + 1) return `right, by ${named}`
        if (/auto|scroll/u.test(style.overflowY)) isVerticalFree = true
        if (!isVerticalFree && cuts(style.overflowY) && box.top < edge.top - 1) return `top, by ${named}`
        if (!isVerticalFree && cuts(style.overflowY) && box.bottom > edge.bottom + 1) return `bottom, by ${named}`
        if (style.position === 'fixed') break
      }
      if (box.left < -1 || box.right > innerWidth + 1) return 'side, by the window'
      return !isVerticalFree && (box.top < -1 || box.bottom > innerHeight + 1) ? 'height, by the window' : null
    }

    /** The place of a text that cannot be read: outside the window, or in a column of single letters. */
    const misplacedText = (node: Node, parent: Element): string | null => {
      const range = document.createRange()
      range.selectNodeContents(node)
      const box = range.getBoundingClientRect()
      if (box.width <= 1 || box.height <= 1) return null
      const style = getComputedStyle(parent)
      // Text with an ellipsis may shrink to nothing.
      let isShortened = false
      for (let outer: Element | null = parent; outer; outer = outer.parentElement)
        isShortened ||= outer.tagName === 'PRE' || getComputedStyle(outer).textOverflow === 'ellipsis'
      if (!isShortened && parent.getBoundingClientRect().left > innerWidth - 8) return 'outside'
      // The tabs of the folded inspector are vertical on purpose.
      if (style.writingMode !== 'horizontal-tb') return null
      const size = Number.parseFloat(style.fontSize)
      return box.width < size * 2.5 && box.height > size * 4 ? 'vertical' : null
    }

    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      const words = node.textContent?.trim() ?? ''
      if (!parent || words.length < 4 || !isShown(parent)) continue
      const place = misplacedText(node, parent)
      if (place !== null) found.push(`${place}: ${words.slice(0, 40)}`)
    }
    for (const control of document.querySelectorAll(CONTROLS)) {
      const box = control.getBoundingClientRect()
      if (box.width <= 1 || box.height <= 1 || !isShown(control)) continue
      const by = cutBy(control)
      if (by !== null) found.push(`cut off: ${control.getAttribute('aria-label') ?? control.textContent?.slice(0, 40)} (${by})`)
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways')
    return [...new Set(found)]
  }, scrolls)
}

/** Checks that everything is in its place in every size of the window. Afterwards the page has its standard size again. */
export async function fitsEverywhere(page: Page, info: TestInfo, name: string, scrolls = false): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size)
    await settled(page)
    await keepPictures(page, info, `${name}-${size.width}`)
    expect.soft(await misplaced(page, scrolls), `${name} at ${size.width} × ${size.height}`).toEqual([])
  }
  await page.setViewportSize(WIDEST)
  await settled(page)
}
