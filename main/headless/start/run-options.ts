import { parseArgs } from 'node:util'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { APPROVAL_MODES } from '../../../shared/session/settings/approval-mode.ts'
import { EFFORTS, type PersonPrice } from '../../../shared/session/settings/model-facts.ts'
import { parseNewPlace } from '../../../shared/places/new-place.ts'
import { isFar } from '../../../shared/places/address.ts'
import { COURSES } from '../../../shared/workflow/workflow.ts'
import { SANDBOX_USES } from '../../compose/sandbox-use.ts'
import { wrongOption } from '../../wrong-option.ts'
import { APPROVE } from './approval-options.ts'

/** Reads the text after an option. A failure is the end of a sentence that begins with the option. */
type Read<T> = (text: string) => Result<T, string>

/** An empty value usually comes from an unset shell variable. */
const filled: Read<string> = (text) => (text.trim() === '' ? failed('needs a value; it was empty.') : ok(text))

const anyText: Read<string> = ok

function oneOf<const T extends string>(values: readonly T[]): Read<T> {
  return (text) => {
    const found = values.find((one) => one === text)
    return found === undefined ? failed(`takes ${values.join(', ')}, not "${text}".`) : ok(found)
  }
}

const placeAddress: Read<string> = (text) => {
  if (isFar(text)) return ok(text)
  const made = parseNewPlace(text)
  if (made?.ok) return ok(text)
  const takes = 'ssh://HOST/PATH, container:NAME/PATH, image:NAME, devcontainer: or k8s://CONTEXT/NAMESPACE?image=NAME'
  return failed(made === null ? `takes ${takes}, not "${text}".` : `was not understood. ${made.failure}`)
}

const count: Read<number> = (text) => (/^[1-9]\d{0,8}$/u.test(text) ? ok(Number(text)) : failed('takes a whole number from 1.'))

const dollars: Read<number> = (text) =>
  /^\d{1,6}(?:\.\d{1,6})?$/u.test(text) && Number(text) > 0
    ? ok(Number(text))
    : failed(`takes an amount above 0, like 0.50, not "${text}".`)

/** Reads seconds as ms. */
const seconds: Read<number> = (text) =>
  /^\d{1,4}$/u.test(text) && Number(text) <= 3600 ? ok(Number(text) * 1000) : failed('takes whole seconds from 0 to 3600.')

const price: Read<PersonPrice> = (text) => {
  const numbers = /^\d{1,5}(\.\d{1,6})?(,\d{1,5}(\.\d{1,6})?){1,3}$/u.test(text) ? text.split(',').map(Number) : []
  const [input, output, cacheRead, cacheWrite] = numbers
  if (input === undefined || output === undefined || numbers.length === 3)
    return failed(`takes IN,OUT or IN,OUT,CACHE_READ,CACHE_WRITE in US dollars, like 3,15, not "${text}".`)
  return ok({ input, output, ...(cacheRead !== undefined && { cacheRead }), ...(cacheWrite !== undefined && { cacheWrite }) })
}

/** The options of a task that take a value. */
const WITH_VALUE = {
  cwd: filled,
  place: placeAddress,
  data: filled,
  model: filled,
  'base-url': filled,
  resume: filled,
  answer: filled,
  agent: filled,
  instructions: filled,
  plan: filled,
  provider: anyText,
  note: anyText,
  approve: oneOf(APPROVE),
  mode: oneOf(APPROVAL_MODES),
  course: oneOf(COURSES),
  effort: oneOf(EFFORTS),
  sandbox: oneOf(SANDBOX_USES),
  'max-rounds': count,
  'max-tokens': count,
  'max-turn-tokens': count,
  'context-window': count,
  'idle-limit': count,
  'retry-for': seconds,
  'max-usd': dollars,
  'max-turn-usd': dollars,
  price,
} as const

type WithValue = typeof WITH_VALUE

const FLAGS = ['acp', 'pause', 'continue', 'beside', 'pty', 'rehearse', 'list-models', 'json', 'conversation', 'anyway', 'preview'] as const

/** The options that were given, as values. */
export type RunOptions = { readonly [N in keyof WithValue]?: WithValue[N] extends Read<infer T> ? T : never } & {
  readonly [_ in (typeof FLAGS)[number]]?: boolean
} & { readonly image: readonly string[] }

/** `help`: the user asked for help, so nothing else counts. */
export type GivenOptions =
  | { readonly kind: 'help' }
  | { readonly kind: 'options'; readonly options: RunOptions; readonly words: readonly string[] }

/** Reads the options and the words of a task. A failure is a sentence. */
export function readRunOptions(argv: readonly string[]): Result<GivenOptions, string> {
  let parsed
  try {
    parsed = parse(argv)
  } catch (error) {
    return failed(wrongOption(error))
  }
  const { values, positionals: words } = parsed
  if (values.help || (words.length === 1 && words[0] === 'help')) return ok({ kind: 'help' })
  const read: Record<string, unknown> = { ...values, image: values.image ?? [] }
  for (const [name, readText] of Object.entries(WITH_VALUE)) {
    const text = values[name as keyof WithValue]
    if (text === undefined) continue
    const value = readText(text)
    if (!value.ok) return failed(`--${name} ${value.failure}`)
    read[name] = value.value
  }
  // Each value was read by the reader of its option.
  return ok({ kind: 'options', options: read as RunOptions, words })
}

function parse(argv: readonly string[]) {
  const withValue = Object.keys(WITH_VALUE) as readonly (keyof WithValue)[]
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    allowNegative: true,
    options: {
      ...each(withValue, { type: 'string' }),
      ...each(FLAGS, { type: 'boolean' }),
      image: { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h' },
    },
  })
}

function each<const Name extends string, const Option>(names: readonly Name[], option: Option): { readonly [_ in Name]: Option } {
  return Object.fromEntries(names.map((name) => [name, option])) as { readonly [_ in Name]: Option }
}
