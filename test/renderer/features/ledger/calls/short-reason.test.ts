import { expect, test } from 'vitest'
import { shortReason } from '../../../../../renderer/features/ledger/calls/failure-reason.tsx'

test.each([
  ['a drawn pattern', 'regex parse error:\n    (foo\n    ^\nerror: unclosed group', 'The pattern cannot be read: unclosed group.'],
  [
    'a pattern rejected by two regex engines',
    'rg: regex could not be compiled.\n\ndefault regex engine error:\n~~~~\nregex parse error:\n    (?:()\n    ^\nerror: unclosed group\n~~~~\n\nPCRE2 regex engine error:\n~~~~\nmissing parenthesis\n~~~~',
    'The pattern cannot be read: unclosed group.',
  ],
  ['a plain sentence', 'There is no file src/a.ts.', 'There is no file src/a.ts.'],
  ['words that look like advice', 'There are: two. It takes a pattern.', 'There are: two. It takes a pattern.'],
])('a reason is shown as it is, unless a program drew it: %s', (_, reason, fact) => {
  expect(shortReason(reason)).toBe(fact)
})
