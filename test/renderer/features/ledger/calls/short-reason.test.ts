import { expect, test } from 'vitest'
import { shortReason } from '../../../../../renderer/features/ledger/calls/failure-reason.tsx'

test.each([
  ['an unknown tool', 'Unknown tool: brew. Available tools: read_file, grep, shell.', 'Unknown tool: brew.'],
  [
    'wrong arguments',
    'Invalid arguments for grep: pattern is missing. It takes pattern, path?.',
    'Invalid arguments for grep: pattern is missing.',
  ],
  ['a drawn pattern', 'regex parse error:\n    (foo\n    ^\nerror: unclosed group', 'The pattern cannot be read: unclosed group.'],
  [
    'a pattern rejected by two regex engines',
    'rg: regex could not be compiled.\n\ndefault regex engine error:\n~~~~\nregex parse error:\n    (?:()\n    ^\nerror: unclosed group\n~~~~\n\nPCRE2 regex engine error:\n~~~~\nmissing parenthesis\n~~~~',
    'The pattern cannot be read: unclosed group.',
  ],
  ['a plain sentence', 'There is no file src/a.ts.', 'There is no file src/a.ts.'],
  ['only advice', 'It takes pattern.', 'It takes pattern.'],
])('the user sees a short reason without the additional text for the model: %s', (_, reason, fact) => {
  expect(shortReason(reason)).toBe(fact)
})
