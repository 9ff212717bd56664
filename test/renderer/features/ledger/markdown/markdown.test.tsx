import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Markdown } from '../../../../../renderer/features/ledger/markdown/markdown.tsx'
import { openPage } from '../../../support/open-page.tsx'

const html = (text: string): string => renderToStaticMarkup(<Markdown text={text} />)
const headings = (text: string): readonly string[] =>
  [...html(text).matchAll(/<h(\d)>([^<]*)/g)].map(([, level, words]) => `${level} ${words}`)

describe('a task list', () => {
  test.each([
    ['tight', '- [x] tests pass\n- [ ] docs written'],
    ['loose', '- [x] tests pass\n\n- [ ] docs written'],
    ['numbered', '1. [x] tests pass\n2. [ ] docs written'],
    ['nested', '- steps\n  - [x] tests pass\n  - [ ] docs written'],
  ])('that is %s shows one box per task, and no brackets', (_, text) => {
    const shown = html(text)
    expect(shown).not.toMatch(/\[[ x]\]/)
    expect(shown.match(/<svg/g)).toHaveLength(2)
    const words = shown.replaceAll(/<[^>]+>/g, '')
    expect(words).toContain('Done: tests pass')
    expect(words).toContain('To do: docs written')
  })
})

describe('headings of an answer', () => {
  test.each([
    ['a single depth', '## Plan\n\ntext\n\n## Result', ['3 Plan', '3 Result']],
    ['a skipped depth', '# A\n\n### B\n\n## C\n\n#### D', ['3 A', '4 B', '4 C', '5 D']],
    ['a first heading that is deep', '#### A\n\n## B\n\n### C', ['3 A', '3 B', '4 C']],
    ['six depths', '# A\n## B\n### C\n#### D\n##### E\n###### F', ['3 A', '4 B', '5 C', '6 D', '6 E', '6 F']],
  ])('with %s begin at level 3, under the user’s message, and skip no level', (_, text, levels) => {
    expect(headings(text)).toEqual(levels)
  })

  test('inside quotes and lists are not part of the outline', () => {
    expect(headings('> ## Quoted\n\n- # Listed\n\n## Own')).toEqual(['3 Own'])
    expect(html('> ## Quoted')).toContain('<strong>Quoted</strong>')
  })
})

test('bidi and zero-width characters are marked anywhere in an answer', () => {
  const evil = 'pay\u202etxt.exe\u200b'
  const forms = [
    evil,
    `# ${evil}`,
    `**${evil}**`,
    `\`${evil}\``,
    `\`\`\`\n${evil}\n\`\`\``,
    `- ${evil}`,
    `> ${evil}`,
    `| ${evil} |\n|---|\n| ${evil} |`,
    `<b>${evil}</b>`,
  ]
  for (const form of forms) {
    const shown = html(form)
    expect(shown).not.toMatch(/[\u202e\u200b]/)
    expect(shown).toContain('U+202E</mark>txt.exe')
    expect(shown).toContain('U+200B</mark>')
  }
})

test('a growing text keeps the DOM elements of its blocks, even when one section is full and the next one begins', async () => {
  const { page, show } = openPage()
  const shown = async (count: number): Promise<readonly Element[]> => {
    await show(<Markdown text={'Words.\n\n'.repeat(count)} />)
    return [...page.querySelectorAll('p')]
  }
  const before = await shown(500)
  expect([before.length, page.children.length]).toEqual([500, 1])
  const after = await shown(600)
  expect([after.length, page.children.length]).toEqual([600, 2])
  expect(before.every((block, index) => block === after[index])).toBe(true)
})
