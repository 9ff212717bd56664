import type { CreateElicitationRequest } from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { elicited } from '../../main/foreign-agents/protocol/elicitation.ts'
import { NO_ANSWER, Question } from '../../shared/workflow/question.ts'

const form = (properties: object): CreateElicitationRequest => ({
  sessionId: 's',
  mode: 'form',
  message: 'Please say',
  requestedSchema: { type: 'object', properties },
})

const chosen = (...labels: string[]) => ({ chosen: labels, text: '' })
const typed = (text: string) => ({ chosen: [], text })

test('each field of a form is a question, and its answer has the type of the field', () => {
  const found = elicited(
    form({
      name: { type: 'string', title: 'Name' },
      color: { type: 'string', enum: ['red', 'blue'] },
      sure: { type: 'boolean' },
      count: { type: 'integer' },
      parts: {
        type: 'array',
        items: {
          anyOf: [
            { const: 'a', title: 'Part A' },
            { const: 'b', title: 'Part B' },
          ],
        },
      },
    }),
  )
  expect(found?.questions.map(({ question, options, multiSelect }) => [question, options?.map(({ label }) => label), multiSelect])).toEqual(
    [
      ['Please say\n\nName', undefined, undefined],
      ['color', ['red', 'blue'], undefined],
      ['sure', ['Yes', 'No'], undefined],
      ['count', undefined, undefined],
      ['parts', ['Part A', 'Part B'], true],
    ],
  )
  expect(found?.response([typed('Ada'), chosen('blue'), chosen('No'), typed('3'), chosen('Part A', 'Part B')])).toEqual({
    action: 'accept',
    content: { name: 'Ada', color: 'blue', sure: false, count: 3, parts: ['a', 'b'] },
  })
})

test('without any answer the form is declined, fields without an answer are left out, and the user is asked to open a page', () => {
  const found = elicited(form({ one: { type: 'string' }, two: { type: 'number' } }))
  expect(found?.response(null)).toEqual({ action: 'decline' })
  expect(found?.response([NO_ANSWER, NO_ANSWER])).toEqual({ action: 'decline' })
  expect(found?.response([typed('x'), typed('many')])).toEqual({ action: 'accept', content: { one: 'x' } })
  const page = elicited({
    sessionId: 's',
    mode: 'url',
    message: 'Sign in',
    url: 'https://a.example/',
    elicitationId: 'e',
  })
  expect(page?.questions[0].question).toContain('https://a.example/')
  expect(page?.response([chosen('I have opened it')])).toEqual({ action: 'accept' })
  expect(page?.response([chosen('No')])).toEqual({ action: 'decline' })
})

test('a form without fields cannot be shown', () => {
  expect(elicited(form({}))).toBeNull()
})

test('texts that are too long for a question are cut, and options without a label are left out', () => {
  const long = 'x'.repeat(10_000)
  const options = [{ const: long, description: long }, { const: '' }]
  const found = elicited({ ...form({ a: { type: 'string', oneOf: options }, b: { type: 'string' } }), message: long })
  const questions = found?.questions.map((question) => Question.safeParse(question).success)
  expect(questions).toEqual([true, true])
  const [label = ''] = found?.questions[0].options?.map((option) => option.label) ?? []
  expect(found?.response([chosen(label), NO_ANSWER])).toEqual({ action: 'accept', content: { a: long } })
})
