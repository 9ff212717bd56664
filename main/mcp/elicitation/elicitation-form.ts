import { z } from 'zod'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { once } from '../../../shared/lib/once.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import { answerText, NO_ANSWER, type Question, type QuestionAnswer } from '../../../shared/workflow/question.ts'
import type { FormContent } from '../connection.ts'

/** Maximum number of fields in one form. One reply of the user can contain at most this many answers. */
const MAX_FIELDS = 50
/** Maximum number of characters of a field's text, and of one option. */
const MAX_WORDS = 2_000
const MAX_OPTION = 500

/** A field of a form as a question, and the function that reads its answer. */
export interface FormField {
  readonly name: string
  readonly question: Question
  readonly isRequired: boolean
  /**
   * Returns the value to send. If the answer is not valid, `flaw` is the reason, as the end of a sentence. Not called without an answer.
   */
  read(answer: QuestionAnswer): { readonly value: FormContent[string] } | { readonly flaw: string }
}

const fieldSchema = once(() => {
  const titled = z
    .array(z.object({ const: z.string(), title: z.string().optional() }))
    .min(1)
    .optional()
  const options = { enum: z.array(z.string()).min(1).optional(), enumNames: z.array(z.string()).optional(), oneOf: titled, anyOf: titled }
  const bound = z.number().optional()
  return z.object({
    type: z.enum(['string', 'number', 'integer', 'boolean', 'array']),
    title: z.string().optional(),
    description: z.string().optional(),
    default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
    ...options,
    items: z.object(options).optional(),
    format: z.string().optional(),
    minLength: bound,
    maxLength: bound,
    minimum: bound,
    maximum: bound,
    minItems: bound,
    maxItems: bound,
  })
})
type Field = z.infer<ReturnType<typeof fieldSchema>>

/** The fields of a server's form, in the form's order. Returns a sentence if the form cannot be shown. */
export function readForm(fields: Readonly<Record<string, JsonValue>>, required: readonly string[]): readonly FormField[] | string {
  const all = Object.entries(fields)
  if (all.length > MAX_FIELDS) return `The server’s form has ${all.length} fields, but at most ${MAX_FIELDS} can be shown.`
  const read: FormField[] = []
  for (const [name, schema] of all) {
    const field = fieldSchema().safeParse(schema)
    const { title = name, description = title } = field.data ?? {}
    const isRequired = required.includes(name)
    const words = `${title}${description === title ? '' : `: ${description}`}`.slice(0, MAX_WORDS)
    const asked = field.success ? asQuestion(`${words}${isRequired ? '' : ' (optional)'}`, field.data) : null
    if (!asked) return `The field ${name} of the server’s form has a type that is not supported.`
    read.push({ name, isRequired, ...asked })
  }
  return read
}

type Asked = Pick<FormField, 'question' | 'read'>

/** Returns the field as a question. Null if the app has no question of this kind. */
function asQuestion(words: string, field: Field): Asked | null {
  const defaults = [field.default ?? []].flat().map(String)
  switch (field.type) {
    case 'boolean':
      return yesOrNo(words, defaults[0])
    case 'array': {
      const options = field.items ? optionsOf(field.items) : null
      return options && severalOf(words, options, defaults, field)
    }
    case 'number':
    case 'integer':
      return numberIn(words, defaults, field)
    case 'string': {
      const options = optionsOf(field)
      return options ? oneOf(words, options, defaults[0]) : textAs(words, defaults, field)
    }
    default:
      return assertNever(field.type, 'type of a field')
  }
}

/** Value by label. */
type Options = ReadonlyMap<string, string>

/** Options with the same title are distinguished by their values. Null if there are no options. */
function optionsOf({ enum: values, enumNames = [], oneOf: choices, anyOf }: NonNullable<Field['items']>): Options | null {
  const titled = (choices ?? anyOf)?.map(({ const: value, title }) => ({ value, title }))
  const all = titled ?? values?.map((value, at) => ({ value, title: enumNames[at] }))
  if (!all) return null
  const pairs = all.map(({ value, title }) => ({ value, label: (title ?? '').slice(0, MAX_OPTION) || value }))
  const isTwice = (label: string): boolean => pairs.filter((other) => other.label === label).length > 1
  return new Map(pairs.map(({ value, label }) => [isTwice(label) ? `${label} (${value})` : label, value]))
}

const labelled = (options: Options): Question['options'] => [...options.keys()].map((label) => ({ label }))
const labelOf = (options: Options, value: string | undefined): readonly string[] =>
  [...options].filter(([, own]) => own === value).map(([label]) => label)

function oneOf(question: string, options: Options, defaultValue: string | undefined): Asked {
  return {
    question: { question, options: labelled(options), default: [...labelOf(options, defaultValue)] },
    read({ chosen: [label = ''] }) {
      const value = options.get(label)
      return value === undefined ? { flaw: 'is not one of the options' } : { value }
    },
  }
}

function severalOf(
  question: string,
  options: Options,
  defaults: readonly string[],
  { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Field,
): Asked {
  return {
    question: {
      question,
      options: labelled(options),
      multiSelect: true,
      default: defaults.flatMap((value) => labelOf(options, value)),
    },
    read({ chosen, text }) {
      if (text.trim() !== '') return { flaw: 'is not one of the options' }
      if (chosen.length < minItems) return { flaw: `is not enough: choose at least ${minItems}` }
      if (chosen.length > maxItems) return { flaw: `is too many: choose at most ${maxItems}` }
      return { value: chosen.flatMap((label) => options.get(label) ?? []) }
    },
  }
}

function yesOrNo(question: string, defaultValue: string | undefined): Asked {
  const options = new Map([
    ['Yes', true],
    ['No', false],
  ])
  return {
    question: {
      question,
      options: [...options.keys()].map((label) => ({ label })),
      ...(defaultValue !== undefined && { default: [defaultValue === 'true' ? 'Yes' : 'No'] }),
    },
    read({ chosen: [label = ''] }) {
      const value = options.get(label)
      return value === undefined ? { flaw: 'is neither yes nor no' } : { value }
    },
  }
}

function numberIn(
  question: string,
  defaults: readonly string[],
  { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: Field,
): Asked {
  const bounds = [
    ...(minimum === Number.NEGATIVE_INFINITY ? [] : [`at least ${minimum}`]),
    ...(maximum === Number.POSITIVE_INFINITY ? [] : [`at most ${maximum}`]),
  ].join(' and ')
  const kind = `${type === 'integer' ? 'a whole number' : 'a number'}${bounds === '' ? '' : ` of ${bounds}`}`
  return {
    question: { question, default: [...defaults] },
    read(answer) {
      const value = Number(answerText(answer))
      const fits = Number.isFinite(value) && value >= minimum && value <= maximum && (type === 'number' || Number.isInteger(value))
      return fits ? { value } : { flaw: `is not ${kind}` }
    },
  }
}

const FORMATS: Readonly<Record<string, { readonly words: string; fits(text: string): boolean }>> = {
  email: { words: 'an email address', fits: (text) => /^[^\s@]+@[^\s@]+$/u.test(text) },
  uri: { words: 'an address such as https://example.com', fits: (text) => URL.canParse(text) },
  date: { words: 'a date such as 2026-12-31', fits: (text) => /^\d{4}-\d\d-\d\d$/u.test(text) && !Number.isNaN(Date.parse(text)) },
  'date-time': {
    words: 'a time such as 2026-12-31T12:00:00Z',
    fits: (text) => /^\d{4}-\d\d-\d\dT/u.test(text) && !Number.isNaN(Date.parse(text)),
  },
}

function textAs(
  question: string,
  defaults: readonly string[],
  { format = '', minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Field,
): Asked {
  const known = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  return {
    question: { question, default: defaults.filter((text) => text !== '') },
    read(answer) {
      const value = answerText(answer)
      if (known && !known.fits(value)) return { flaw: `is not ${known.words}` }
      if (value.length < minLength) return { flaw: `is shorter than ${minLength} characters` }
      return value.length > maxLength ? { flaw: `is longer than ${maxLength} characters` } : { value }
    },
  }
}

/** The content to send to the server, or the questions to ask again because their answers do not fit. */
export function formContent(
  fields: readonly FormField[],
  answers: readonly QuestionAnswer[],
): { readonly content: FormContent } | { readonly again: readonly Question[] } {
  const content: Record<string, FormContent[string]> = {}
  const flaws = new Map<FormField, string>()
  for (const [at, field] of fields.entries()) {
    const answer = answers[at] ?? NO_ANSWER
    const text = answerText(answer)
    if (text === '' && field.isRequired) flaws.set(field, 'An answer is needed here.')
    if (text === '') continue
    const read = field.read(answer)
    if ('flaw' in read) flaws.set(field, `“${text}” ${read.flaw}.`)
    else content[field.name] = read.value
  }
  if (flaws.size === 0) return { content }
  const again = fields.map((field, at): Question => {
    const flaw = flaws.get(field)
    const { chosen, text } = answers[at] ?? NO_ANSWER
    const given = [...chosen, ...(text === '' ? [] : [text])]
    const { default: _, ...question } = field.question
    return { ...question, question: flaw === undefined ? question.question : `${question.question}\n${flaw}`, default: given }
  })
  return { again }
}
