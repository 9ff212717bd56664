import { describe, expect, test } from 'vitest'
import type { Picture } from '../../../shared/session/content.ts'
import { titleOfRequest } from '../../../shared/session/session-title.ts'

describe('the title of a request', () => {
  test.each([
    ['A test fails: an invoice of 1 March is booked in February. Find out why.', 'A test fails'],
    ['  Mend the bug\nplease', 'Mend the bug'],
    ['Could you please fix the login loop in src/auth/redirect.ts?', 'Fix the login loop in redirect.ts?'],
    ['Fix the login redirect loop when the session cookie has expired on a phone', 'Fix the login redirect loop when the session…'],
    ['# Fix **all** the `tests` in /home/me/project/src/app.ts', 'Fix all the tests in app.ts'],
    ['Rename C:\\Users\\me\\a.ts to b', 'Rename a.ts to b'],
    ['use and/or 3/4 of it', 'use and/or 3/4 of it'],
    ['see https://user:secret@example.com/a/b?c=d for details', 'see example.com for details'],
    ['```ts\nconst a = 1\n```\nWhat does this do?', 'What does this do?'],
    ['```\nTraceback most recent\n```', 'Traceback most recent'],
    ['- [ ] do the thing', 'do the thing'],
    ['snake_case_name and __init__ stay', 'snake_case_name and __init__ stay'],
    ['const x = a*b*c', 'const x = a*b*c'],
    ['修复测试。然后提交', '修复测试'],
    [
      '请修复登录页面上的错误，当用户在手机上登录时会出现重定向循环，而且会话过期后也不会重新加载，请尽快处理',
      '请修复登录页面上的错误，当用户在手机上登录时会出现重定向循环',
    ],
    ['日本語のテストが失敗します。原因を調べてください', '日本語のテストが失敗します'],
    ['\u202Eevil\u200B name', 'evil name'],
    ['x'.repeat(100), `${'x'.repeat(47)}…`],
    ['👩‍👩‍👧‍👦'.repeat(60), `${'👩‍👩‍👧‍👦'.repeat(47)}…`],
    [' \n\n ', ''],
  ])('%j becomes %j', (text, title) => {
    expect(titleOfRequest({ text })).toBe(title)
  })

  test('a request with only pictures is titled with the number of pictures', () => {
    const picture = {} as Picture
    expect(titleOfRequest({ text: ' ', pictures: [picture] })).toBe('A picture')
    expect(titleOfRequest({ text: '', pictures: [picture, picture] })).toBe('2 pictures')
    expect(titleOfRequest({ text: 'Look', pictures: [picture] })).toBe('Look')
  })

  test.each([
    'a/'.repeat(10_000),
    '```\n'.repeat(5_000),
    '*a'.repeat(10_000),
    '[](<'.repeat(5_000),
    '# '.repeat(10_000),
    'a.'.repeat(10_000),
    '((('.repeat(9_000),
  ])('is created quickly even from a huge text: %#', (text) => {
    const before = performance.now()
    for (let round = 0; round < 3; round++) titleOfRequest({ text })
    expect(performance.now() - before).toBeLessThan(1_000)
  })
})
