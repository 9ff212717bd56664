import { expect, test } from 'vitest'
import { answersFlaw, defaultAnswer, type Question, typedAnswer, withOption } from '../../../shared/workflow/question.ts'

const OPTIONS = [{ label: 'Docs' }, { label: 'Worker' }, { label: '1' }]
const one: Question = { question: 'Which part?', options: OPTIONS, default: ['Worker'] }
const several: Question = { ...one, multiSelect: true }

test.each<readonly [string, Question, readonly string[], string]>([
  ['2', one, ['Worker'], ''],
  ['worker', one, ['Worker'], ''],
  ['1', one, ['Docs'], ''],
  [' ', one, ['Worker'], ''],
  ['4', one, [], '4'],
  ['Docs, Worker', one, [], 'Docs, Worker'],
  ['Docs, 2, docs', several, ['Docs', 'Worker'], ''],
  ['Docs, and more', several, [], 'Docs, and more'],
  ['Docs', { question: 'Which part?' }, [], 'Docs'],
])('the typed answer %j is read as an option number, an option label or free text', (typed, question, chosen, text) => {
  expect(typedAnswer(question, typed)).toEqual({ chosen, text })
})

test('a default that is not an option becomes the text of the answer', () => {
  expect(defaultAnswer({ ...several, default: ['Docs', 'Later'] })).toEqual({ chosen: ['Docs'], text: 'Later' })
  expect(defaultAnswer({ question: 'Why?' })).toEqual({ chosen: [], text: '' })
})

test('choosing an option replaces the answer, or adds or removes the option if several can be chosen', () => {
  expect(withOption(one, { chosen: ['Docs'], text: 'Mine' }, 'Worker')).toEqual({ chosen: ['Worker'], text: '' })
  expect(withOption(several, { chosen: ['Docs'], text: 'Mine' }, 'Worker')).toEqual({ chosen: ['Docs', 'Worker'], text: 'Mine' })
  expect(withOption(several, { chosen: ['Docs', 'Worker'], text: '' }, 'Docs')).toEqual({ chosen: ['Worker'], text: '' })
})

test('answers fit their questions if each chosen option exists and a single choice has at most one', () => {
  const flaw = (...chosen: readonly string[]) => answersFlaw([one], [{ chosen, text: '' }])
  expect([flaw(), flaw('Docs'), answersFlaw([several], [{ chosen: ['Docs', 'Worker'], text: '' }])]).toEqual([null, null, null])
  expect(flaw('Docs', 'Worker')).toBe('“Which part?” accepts one option, but 2 were chosen.')
  expect(flaw('Other')).toBe('“Other” is not an option of “Which part?”.')
  expect(answersFlaw([one], [])).toBe('The number of questions is 1, but the number of answers is 0.')
})
