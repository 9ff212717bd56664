import { type Page, expect } from 'playwright/test'

/** Two texts that stand apart on the screen, and their join. */
interface Neighbors {
  readonly joined: string
  readonly words: string
}

/**
 * Fails if a screen reader would read two texts as one word although they stand apart on the screen, as in "Plan of 4 steps3 files". The
 * names are those that Chromium computes.
 */
export async function expectNoRunTogetherNames(page: Page, state: string): Promise<void> {
  const neighbors = await page.evaluate(wordsWithoutSpace)
  const names = neighbors.length === 0 ? [] : await accessibleNames(page)
  const found = names.filter((name) => neighbors.some(({ joined }) => name.includes(joined)))
  const words = neighbors.filter(({ joined }) => names.some((name) => name.includes(joined))).map((one) => one.words)
  expect.soft({ names: [...new Set(found)], words: [...new Set(words)] }, `names that run together in the state ${state}`).toEqual({
    names: [],
    words: [],
  })
}

async function accessibleNames(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes.flatMap(({ ignored, name }) => (ignored || typeof name?.value !== 'string' ? [] : [name.value]))
}

/** Runs in the page. Neighboring texts that no space separates in the document, but a gap or a line break on the screen. */
function wordsWithoutSpace(): Neighbors[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const edge = (node: Node, at: number): DOMRect => {
    const range = document.createRange()
    range.setStart(node, at)
    range.setEnd(node, at + 1)
    return range.getBoundingClientRect()
  }
  const found: Neighbors[] = []
  let before: Text | null = null
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node as Text
    if (text.data === '' || !text.parentElement?.checkVisibility({ visibilityProperty: true })) continue
    const last = before
    before = text
    const left = last?.data.slice(-30) ?? ''
    const right = text.data.slice(0, 30)
    if (last === null || !/[\p{L}\p{N}][.,:;!?)”’]?$/u.test(left) || !/^[\p{L}\p{N}]/u.test(right)) continue
    const end = edge(last, last.data.length - 1)
    const begin = edge(text, 0)
    const isApart = begin.left - end.right > 1 || begin.top >= end.bottom || begin.right < end.left
    if (isApart) found.push({ joined: left + right, words: `${left}|${right}` })
  }
  return found
}
