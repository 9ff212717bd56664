import { describe, expect, test } from 'vitest'
import { formContent, readForm } from '../../main/mcp/elicitation/elicitation-form.ts'
import type { JsonValue } from '../../shared/session/content.ts'
import { defaultAnswer, NO_ANSWER, type QuestionAnswer } from '../../shared/workflow/question.ts'

const said = (text: string): QuestionAnswer => ({ chosen: [], text })
const chose = (...chosen: readonly string[]): QuestionAnswer => ({ chosen, text: '' })

function fieldsOf(schema: JsonValue, required: readonly string[] = ['it']) {
  const fields = readForm({ it: schema }, required)
  if (typeof fields === 'string') throw new Error(fields)
  return fields
}

const PETS = { enum: ['a', 'b'], enumNames: ['Cats', 'Dogs'] }
const TWICE = {
  oneOf: [
    { const: '1', title: 'Same' },
    { const: '2', title: 'Same' },
  ],
}

describe('the field of a form', () => {
  test.each<[string, JsonValue, QuestionAnswer, unknown]>([
    ['text', { type: 'string' }, said('  hello '), 'hello'],
    ['an email address', { type: 'string', format: 'email' }, said('a@b.org'), 'a@b.org'],
    ['a date', { type: 'string', format: 'date' }, said('2026-12-31'), '2026-12-31'],
    ['an unknown format', { type: 'string', format: 'color' }, said('red'), 'red'],
    ['a number', { type: 'number', minimum: 0, maximum: 2 }, said('1.5'), 1.5],
    ['a whole number', { type: 'integer' }, said('7'), 7],
    ['“Yes”', { type: 'boolean' }, chose('Yes'), true],
    ['“No”', { type: 'boolean' }, chose('No'), false],
    ['one of several options', { type: 'string', enum: ['x', 'y'] }, chose('y'), 'y'],
    ['one of several named options', { type: 'string', ...PETS }, chose('Dogs'), 'b'],
    ['one of two options with the same title', { type: 'string', ...TWICE }, chose('Same (2)'), '2'],
    ['several options', { type: 'array', items: PETS, maxItems: 2 }, chose('Cats', 'Dogs'), ['a', 'b']],
  ])('reads %s', (_, schema, answer, value) => {
    expect(formContent(fieldsOf(schema), [answer])).toEqual({ content: { it: value } })
  })

  test.each<[string, JsonValue, QuestionAnswer, string]>([
    ['no answer', { type: 'string' }, NO_ANSWER, 'An answer is needed here.'],
    ['a text that is not an email address', { type: 'string', format: 'email' }, said('me'), '“me” is not an email address.'],
    ['a nonexistent date', { type: 'string', format: 'date' }, said('2026-99-31'), 'is not a date such as 2026-12-31.'],
    ['words instead of a number', { type: 'number' }, said('many'), '“many” is not a number.'],
    [
      'a number out of range',
      { type: 'integer', minimum: 1, maximum: 9 },
      said('10'),
      'is not a whole number of at least 1 and at most 9.',
    ],
    ['a fraction instead of a whole number', { type: 'integer' }, said('1.5'), 'is not a whole number.'],
    ['free text instead of an option', { type: 'string', enum: ['x'] }, said('z'), '“z” is not one of the options.'],
    ['too many options', { type: 'array', items: PETS, maxItems: 1 }, chose('Cats', 'Dogs'), 'is too many: choose at most 1.'],
    ['a text that is too long', { type: 'string', maxLength: 2 }, said('abc'), 'is longer than 2 characters.'],
  ])('is asked again after %s, with the previous answer filled in', (_, schema, answer, flaw) => {
    const read = formContent(fieldsOf(schema), [answer])
    if (!('again' in read)) throw new Error('It was taken.')
    expect(read.again[0]?.question).toContain(flaw)
    expect(read.again[0]?.default).toEqual([...answer.chosen, ...(answer.text === '' ? [] : [answer.text])])
  })

  test.each<[string, JsonValue, readonly string[]]>([
    ['a text', { type: 'string', default: 'usual' }, ['usual']],
    ['a number', { type: 'number', default: 3.5 }, ['3.5']],
    ['“No”', { type: 'boolean', default: false }, ['No']],
    ['an option', { type: 'string', ...PETS, default: 'b' }, ['Dogs']],
    ['several options', { type: 'array', items: PETS, default: ['a'] }, ['Cats']],
  ])('proposes its default: %s', (_, schema, defaults) => {
    const [field] = fieldsOf(schema)
    expect(field?.question.default).toEqual(defaults)
    expect(formContent(fieldsOf(schema), [defaultAnswer(field?.question ?? { question: '' })])).toHaveProperty('content')
  })

  test('is left out of the answer if it is optional and empty', () => {
    const fields = fieldsOf({ type: 'string', format: 'email' }, [])
    expect(fields[0]?.question.question).toBe('it (optional)')
    expect(formContent(fields, [NO_ANSWER])).toEqual({ content: {} })
  })
})

test.each<[string, Readonly<Record<string, JsonValue>>]>([
  ['an object', { it: { type: 'object' } }],
  ['a list without options', { it: { type: 'array', items: { type: 'string' } } }],
  ['no type', { it: {} }],
  ['too many fields', Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`f${at}`, { type: 'string' }]))],
])('a form with %s cannot be shown, and a sentence gives the reason', (_, fields) => {
  expect(readForm(fields, [])).toMatch(/\.$/u)
})
