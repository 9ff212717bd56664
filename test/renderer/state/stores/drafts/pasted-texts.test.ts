import { expect, test } from 'vitest'
import { messageParts, withPastedTexts } from '../../../../../renderer/state/stores/drafts/pasted-texts.ts'
import { titleOfRequest } from '../../../../../shared/session/session-title.ts'

test.each([
  ['a typed text and a pasted text', 'Why?', ['line 1\nline 2']],
  ['several pasted texts', 'Why?\n\nTell me.', ['a', '\n\nb\n\n', 'c']],
  ['a pasted text alone', '', ['a']],
  ['a pasted text that contains the tags', 'Why?', ['<pasted_text>\nx\n</pasted_text>\n\n< /pasted_text>']],
  ['no pasted text', 'What does <pasted_text> mean?', []],
] as const)('%s can be read from the message again', (_name, typed, texts) => {
  expect(messageParts(withPastedTexts(typed, texts))).toEqual({ typed, texts })
})

test('what follows the pasted texts belongs to the typed text', () => {
  expect(messageParts(`${withPastedTexts('Why?', ['a'])}\n\nReview comments:\n- b`)).toEqual({
    typed: 'Why?\n\nReview comments:\n- b',
    texts: ['a'],
  })
})

test('the title of a request that is only a pasted text comes from that text', () => {
  expect(titleOfRequest({ text: withPastedTexts('', ['Error: the port is in use']) })).toBe('Error: the port is in use')
})
