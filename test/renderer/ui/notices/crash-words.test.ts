import { expect, test } from 'vitest'
import { crashWords } from '../../../../renderer/ui/notices/crash-words.ts'

const BUG = 'The ledger cannot be shown because of a bug in Countersign.'

test.each([
  ['an error of Countersign', new Error('The file has no lines.'), 'The ledger cannot be shown: The file has no lines.', null],
  ['React’s number', new Error('Minified React error #185; visit https://react.dev/errors/185 for the full message.'), BUG, 'error #185'],
  ['an error of the browser', new TypeError("Cannot read properties of undefined (reading 'id')"), BUG, 'Cannot read properties'],
  [
    'an exception of the page',
    new DOMException('Failed to execute showPopover', 'InvalidStateError'),
    BUG,
    'Failed to execute showPopover',
  ],
  ['an error without words', new Error(''), BUG, 'Error'],
  ['a thrown text', 'lost', BUG, 'lost'],
])('%s is said in plain words, with the text for a bug report in the details', (_, error, happened, details) => {
  const words = crashWords('The ledger', error)
  expect(words.happened).toBe(happened)
  if (details === null) expect(words.details).toBeNull()
  else expect(words.details).toContain(details)
})

test('the details name where the error was thrown', () => {
  expect(crashWords('The ledger', new TypeError('x')).details).toMatch(/TypeError: x[\s\S]+crash-words\.test/u)
})
