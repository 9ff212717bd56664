import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { say } from '../../support/scripted-model.ts'
import { expect, modelEnv, test } from '../support/desk-test.ts'
import { ledger } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

const ANSWER = [
  'The mistake is in src/money.js:2. The test `test/money.test.js:1` and [the readme](README.md#L1) say so, and src/missing.js:9 is not there.',
  '```js\n// cents\nconst total = (prices) => prices.length + "0"\n```',
  '```diff\n@@ -1,2 +1,2 @@\n-const vat = 19\n+const vat = 20\n```',
].join('\n\n')

test('names of existing files in an answer open at their line, code is colored, and diffs are red and green', async ({
  page,
  places,
  put,
  opened,
}, info) => {
  const bin = join(places.data, 'bin')
  const log = join(places.data, 'opened')
  await mkdir(bin, { recursive: true })
  await writeFile(join(bin, 'code'), `#!/bin/sh\necho "$*" >> "${log}"\n`)
  await chmod(join(bin, 'code'), 0o755)
  for (const path of ['src/money.js', 'test/money.test.js', 'README.md']) await put(path, 'one\ntwo\n')
  await opened([say(ANSWER)], 'What is wrong?', (scripted) => ({
    ...modelEnv(scripted),
    PATH: `${bin}:${process.env['PATH']}`,
    DISPLAY: ':0',
  }))
  const lines = async (): Promise<readonly string[]> => (await readFile(log, 'utf8').catch(() => '')).split('\n').slice(0, -1)
  const answer = ledger(page)
  for (const [name, place] of [
    ['src/money.js:2', 'src/money.js:2'],
    ['test/money.test.js:1', 'test/money.test.js:1'],
    ['the readme', 'README.md:1'],
  ] as const) {
    await answer.getByRole('button', { name, exact: true }).click()
    await expect(page.getByRole('group', { name: /^File \S/u })).toContainText('two')
    await page.keyboard.press('o')
    await expect.poll(async () => (await lines()).at(-1)).toBe(`-g ${join(places.project, place)}`)
    await page.keyboard.press('Escape')
  }
  await expect(answer.getByText('src/missing.js:9')).toBeVisible()
  await expect(answer.getByRole('button', { name: /missing/u })).toHaveCount(0)

  const colour = (words: string): Promise<string> =>
    answer
      .locator('pre span', { hasText: words })
      .first()
      .evaluate((element) => element.style.color)
  expect(await colour('cents')).toBe('var(--text-3)')
  expect(await colour('-const vat = 19')).toBe('var(--red)')
  expect(await colour('+const vat = 20')).toBe('var(--green)')
  await keepPictures(page, info, 'answer')
})
