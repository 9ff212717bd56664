import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const page = readFileSync(join(import.meta.dirname, '../docs/findings.md'), 'utf8')

/** The files that the page names, each with a title if the page gives one. */
const named = [...page.matchAll(/`([\w/.-]+\.(?:test|spec|bench)\.tsx?)`(?: “(.+?)”(?=[;| ]*(?:`|figure|CI|\||$)))?/gmu)].map(
  ([, file = '', title = '']) => ({ file, title }),
)

test('each test that the list of findings names exists', () => {
  expect(named.length).toBeGreaterThan(80)
  const missing = named.filter(({ file, title }) => {
    const path = join(import.meta.dirname, file)
    return (
      !existsSync(path) ||
      !readFileSync(path, 'utf8')
        .replaceAll(/\\(?=['`])/gu, '')
        .includes(title)
    )
  })
  expect(missing).toEqual([])
})
