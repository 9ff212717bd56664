import type { CreateElicitationRequest, CreateElicitationResponse, ElicitationPropertySchema } from '@agentclientprotocol/sdk'
import { isObject } from '../../../shared/lib/json.ts'
import type { Question, QuestionAnswer } from '../../../shared/workflow/question.ts'

/** An agent's request as questions to the user, and the response for the user's answers. */
export interface Elicited {
  readonly questions: readonly [Question, ...Question[]]
  /** `answers`: one for each question. Null if nobody has answered. */
  response(answers: readonly QuestionAnswer[] | null): CreateElicitationResponse
}

const DECLINED: CreateElicitationResponse = { action: 'decline' }
const YES = 'Yes'
const NO = 'No'
const OPENED = 'I have opened it'
/** The limits of the tool that asks the user (`Question`). */
const MAX_OPTIONS = 20
const MAX_QUESTIONS = 10
const MAX_QUESTION_CHARS = 4_000
const MAX_LABEL_CHARS = 500
const MAX_DESCRIPTION_CHARS = 2_000

/** Null if the agent's request cannot be shown as questions. */
export function elicited(request: CreateElicitationRequest): Elicited | null {
  const url: unknown = Reflect.get(request, 'url')
  if (request.mode === 'url' && typeof url === 'string') return elicitedPage(request.message, url)
  const schema: unknown = Reflect.get(request, 'requestedSchema')
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {}
  const fields = Object.entries(properties as Readonly<Record<string, ElicitationPropertySchema>>).slice(0, MAX_QUESTIONS)
  const [first, ...others] = fields.map(([name, field]) => questionOf(name, field, fields.length === 1 ? request.message : null))
  if (request.mode !== 'form' || !first) return null
  const opening = fields.length > 1 ? { ...first, question: `${request.message}\n\n${first.question}`.slice(0, MAX_QUESTION_CHARS) } : first
  return {
    questions: [opening, ...others],
    response(answers) {
      if (answers === null || answers.every(({ chosen, text }) => chosen.length === 0 && text === '')) return DECLINED
      const content = fields.flatMap(([name, field], at) => {
        const value = valueOf(field, answers[at] ?? { chosen: [], text: '' })
        return value === null ? [] : [[name, value] as const]
      })
      return { action: 'accept', content: Object.fromEntries(content) }
    },
  }
}

function elicitedPage(message: string, url: string): Elicited {
  return {
    questions: [
      {
        question: `${message.slice(0, MAX_QUESTION_CHARS / 2)}\n\nThe agent asks you to open this page: ${url}`,
        options: [{ label: OPENED }, { label: NO }],
      },
    ],
    response: (answers) => (answers?.[0]?.chosen[0] === OPENED ? { action: 'accept' } : DECLINED),
  }
}

type Option = NonNullable<Question['options']>[number] & { readonly value: string }

function questionOf(name: string, field: ElicitationPropertySchema, message: string | null): Question {
  const { title, description } = field as { readonly title?: string | null; readonly description?: string | null }
  const words = [message, title ?? (message === null ? name : null), description].filter((part) => part)
  const options = optionsOf(field).map(({ label, description: about }) => ({ label, ...(about && { description: about }) }))
  return {
    question: words.join('\n').slice(0, MAX_QUESTION_CHARS) || name,
    ...(options.length > 0 && { options }),
    ...(field.type === 'array' && { multiSelect: true }),
  }
}

/** The values that the agent accepts. Empty if it accepts any. */
function optionsOf(field: ElicitationPropertySchema): readonly Option[] {
  if (field.type === 'boolean') return [YES, NO].map((label) => ({ label, value: label }))
  const holder: unknown = field.type === 'array' ? Reflect.get(field, 'items') : field
  if (!isObject(holder)) return []
  const titled = holder['oneOf'] ?? holder['anyOf']
  const plain = holder['enum']
  const all: readonly unknown[] = Array.isArray(titled) ? titled : Array.isArray(plain) ? plain : []
  return all.slice(0, MAX_OPTIONS).flatMap((one) => {
    const { const: value, title, description }: Readonly<Record<string, unknown>> = isObject(one) ? one : { const: one }
    if (typeof value !== 'string') return []
    const label = (typeof title === 'string' && title !== '' ? title : value).slice(0, MAX_LABEL_CHARS)
    const about = typeof description === 'string' ? { description: description.slice(0, MAX_DESCRIPTION_CHARS) } : {}
    return label === '' ? [] : [{ label, value, ...about }]
  })
}

/** The answer in the form that the agent expects. Null if there is none. */
function valueOf(field: ElicitationPropertySchema, { chosen, text }: QuestionAnswer): string | number | boolean | string[] | null {
  const options = optionsOf(field)
  const values = chosen.map((label) => options.find((option) => option.label === label)?.value ?? label)
  const own = text.trim()
  switch (field.type) {
    case 'boolean':
      return values[0] === undefined ? (own === '' ? null : /^(?:y|yes|true|1)$/iu.test(own)) : values[0] === YES
    case 'number':
    case 'integer': {
      const number = Number(own)
      return own === '' || Number.isNaN(number) ? null : number
    }
    case 'array':
      return [...values, ...(own === '' ? [] : [own])]
    default:
      return values[0] ?? (own === '' ? null : own)
  }
}
