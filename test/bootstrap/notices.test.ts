import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noticesPlugin, writeNotices } from '../../main/bootstrap/notices.mjs'

describe('the licenses in a build', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'countersign-notices-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const putPackage = (name: string, facts: object, files: Readonly<Record<string, string>> = {}): void => {
    put(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.2.3', main: 'index.js', ...facts }))
    put(`node_modules/${name}/index.js`, `export function one() {\n  return globalThis.${name.replace(/\W/g, '')}\n}\n`)
    for (const [file, text] of Object.entries(files)) put(`node_modules/${name}/${file}`, text)
  }
  const built = async (code: string, target: string): Promise<string> => {
    put('entry.js', code)
    const bundle = await rolldown({ input: join(root, 'entry.js'), plugins: [noticesPlugin(root)] })
    await bundle.write({ dir: join(root, target) })
    return join(root, target)
  }

  test('contain the packages whose code is in a bundle, also nested ones, each once, and those that are packed beside it', async () => {
    putPackage('used', { license: 'MIT' }, { LICENSE: 'Copyright One' })
    putPackage('@scope/used', { license: 'Apache-2.0' }, { 'LICENSE.md': 'Copyright Two', NOTICE: 'and Three' })
    putPackage('@scope/used/node_modules/nested', { license: 'ISC', author: { name: 'Four' } })
    putPackage('only-imported', { license: 'GPL-3.0' })
    putPackage('packed', { license: 'BSD-2-Clause' }, { COPYING: 'Copyright Five' })
    put('node_modules/@scope/used/index.js', "export { one } from 'nested'\nexport function two() {\n  return globalThis.two\n}\n")
    const first = await built("import { one } from 'used'\nimport { one as other } from 'only-imported'\nconsole.log(one)", 'first')
    const second = await built(
      "import { one } from 'used'\nimport { one as two, two as three } from '@scope/used'\nconsole.log(one, two, three)",
      'second',
    )
    writeNotices([first, second], [join(root, 'node_modules', 'packed')], join(root, 'NOTICES.txt'))
    const [head, ...notices] = readFileSync(join(root, 'NOTICES.txt'), 'utf8').split(/\n-{80}\n\n/)
    expect(head).toContain('4 packages')
    expect(
      notices.map((notice) =>
        notice
          .trim()
          .split('\n')
          .filter((line) => line !== ''),
      ),
    ).toEqual([
      ['@scope/used 1.2.3', 'Apache-2.0', 'Copyright Two', 'and Three'],
      [expect.stringMatching(/nested 1\.2\.3$/), 'ISC', 'By Four. The package comes without a license text.'],
      ['packed 1.2.3', 'BSD-2-Clause', 'Copyright Five'],
      ['used 1.2.3', 'MIT', 'Copyright One'],
    ])
  })
})
