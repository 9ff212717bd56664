import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../../renderer')

/**
 * `*` on either side of a sibling combinator. If a style sheet contains `.x + *`, Chromium assumes that the children of every element
 * depend on their siblings. If it contains `.words > * + *`, each inserted element then restyles all its siblings and their contents.
 */
const universal = /\*\s*[+~][^=]|[^*/\s]\s*[+~]\s*\*/

test.each([
  ['.x + *', true],
  ['.words > * + *', true],
  ['* ~ .x', true],
  ['.x + .y', false],
  ['.x > *', false],
  ['[name*=x]', false],
])('%s has a universal sibling: %s', (selector, isUniversal) => expect(universal.test(selector)).toBe(isUniversal))

test('no CSS selector causes all siblings of an inserted row to be restyled', async () => {
  const found: string[] = []
  let read = 0
  for await (const file of glob('**/*.css', { cwd: folder })) {
    const css = (await readFile(join(folder, file), 'utf8')).replace(/\/\*.*?\*\//gs, '')
    const selectors = [...css.matchAll(/[^{};]+(?=\{)/g)].map(([selector]) => selector.trim().replace(/\([^()]*\)/g, '()'))
    read += selectors.length
    found.push(...selectors.filter((selector) => universal.test(selector)).map((selector) => `${file}: ${selector}`))
  }
  expect(read).toBeGreaterThan(100)
  expect(found).toEqual([])
})
