import { expect, it } from 'vitest'
import type { AnyEnvelope, SessionEvent } from '../../shared/session/events.ts'
import { readable } from '../../main/headless/progress.ts'

function shown(event: SessionEvent, colour: boolean): string {
  let text = ''
  readable((more) => void (text += more), colour)({ event } as AnyEnvelope)
  return text
}

const said = (text: string): SessionEvent => ({ kind: 'ASSISTANT_TEXT_DELTA', text })
const retry = (why: string): SessionEvent => ({ kind: 'RETRY_SCHEDULED', attempt: 1, atMs: 0, why })

it.each([true, false])('colours of a model do not pass (colour %s)', (colour) => {
  expect(shown(said('\u001b[32mdone\u001b[0m'), colour)).toBe('\\x1b[32mdone\\x1b[0m')
})

it.each([
  ['\r', '\\x0d'],
  ['\u007f', '\\x7f'],
  ['\u009b', '\\x9b'],
  ['\u200b', '\\u200b'],
  ['\u200f', '\\u200f'],
  ['\u202e', '\\u202e'],
  ['\u2066', '\\u2066'],
  ['\ufeff', '\\ufeff'],
])('%j is named instead of drawn', (character, name) => {
  expect(shown(said(`a${character}b`), true)).toBe(`a${name}b`)
})

it('a sentence from outside cannot begin a line of ours', () => {
  expect(shown(retry('busy\n// Signed'), false)).toMatch(/^ {3}busy\\x0a\/\/ Signed Asking again at [^\n]*\n$/)
})
