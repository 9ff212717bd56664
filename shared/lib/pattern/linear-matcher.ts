import { assertNever } from '../assert-never.ts'

/**
 * What a text must consist of. `one`: one character (code point) that matches the source of a regular expression. `any`: zero or more
 * times the same pattern. `either`: one of several patterns.
 */
export type Pattern =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'one'; readonly source: string }
  | { readonly kind: 'any'; readonly of: Pattern }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'either'; readonly parts: readonly Pattern[] }

export const text = (literal: string): Pattern => ({ kind: 'text', text: literal })
export const one = (source: string): Pattern => ({ kind: 'one', source })
/** The pattern repeated any number of times, including zero. */
export const repeated = (of: Pattern): Pattern => ({ kind: 'any', of })
export const sequence = (parts: readonly Pattern[]): Pattern => ({ kind: 'sequence', parts })
export const either = (parts: readonly Pattern[]): Pattern => ({ kind: 'either', parts })
export const optional = (part: Pattern): Pattern => either([part, sequence([])])
export const CHARACTER = one('[^]')

/** Literal text in which each `*` stands for any characters. */
export function withStars(pattern: string): Pattern {
  return sequence(pattern.split('*').flatMap((part, index) => (index === 0 ? [text(part)] : [repeated(CHARACTER), text(part)])))
}

/**
 * Returns a test of complete texts. The time for a text is at most proportional to its length times the length of the pattern, whatever
 * both contain, because all ways to match are followed at the same time. Throws a `SyntaxError` if a source of `one` is malformed.
 */
export function linearMatcher(pattern: Pattern, caseSensitive = true): (text: string) => boolean {
  const automaton = createAutomaton(stepsOf(pattern, caseSensitive))
  return (whole) => {
    let state = automaton.start()
    for (let at = 0; at < whole.length;) {
      if (state.ones.length === 0) return false
      const code = whole.codePointAt(at) ?? 0
      at += code > 0xffff ? 2 : 1
      state = state.next.get(code) ?? automaton.after(state, code)
    }
    return state.isEnd
  }
}

/** Reads one character, or continues at each of several steps, or ends the pattern. */
type Step =
  | { readonly kind: 'one'; readonly fits: (character: string) => boolean; readonly next: number }
  | { readonly kind: 'split'; readonly next: readonly number[] }
  | { readonly kind: 'end' }

/** The pattern as steps, from its end to its beginning, which is the last step. */
function stepsOf(pattern: Pattern, caseSensitive: boolean): readonly Step[] {
  const steps: Step[] = [{ kind: 'end' }]
  const flags = caseSensitive ? 'su' : 'sui'
  const add = (step: Step): number => steps.push(step) - 1
  const reads = (source: string, next: number): number => {
    const expression = new RegExp(`^(?:${source})$`, flags)
    return add({ kind: 'one', fits: (character) => expression.test(character), next })
  }
  const literal = (character: string, next: number): number => {
    // Comparing needs no expression, and most characters of a pattern are literal.
    if (caseSensitive) return add({ kind: 'one', fits: (other) => other === character, next })
    return reads(character.replace(/[\^$\\.*+?()[\]{}|/]/u, String.raw`\$&`), next)
  }
  const build = (part: Pattern, next: number): number => {
    switch (part.kind) {
      case 'text':
        return [...part.text].reduceRight((after, character) => literal(character, after), next)
      case 'one':
        return reads(part.source, next)
      case 'any': {
        const at = add({ kind: 'end' })
        steps[at] = { kind: 'split', next: [build(part.of, at), next] }
        return at
      }
      case 'sequence':
        return part.parts.reduceRight((after, each) => build(each, after), next)
      case 'either':
        return add({ kind: 'split', next: part.parts.map((each) => build(each, next)) })
      default:
        return assertNever(part, 'pattern')
    }
  }
  add({ kind: 'split', next: [build(pattern, 0)] })
  return steps
}

/** All steps at which the pattern can be after the same characters. */
interface State {
  readonly ones: readonly Extract<Step, { readonly kind: 'one' }>[]
  readonly isEnd: boolean
  /** The state after a character, by its code point. Filled as texts are read. */
  readonly next: Map<number, State>
}

/** Maximum number of known transitions of one pattern. If there are more, all are forgotten, which costs only time. */
const MAX_KNOWN = 5_000

interface Automaton {
  start(): State
  after(state: State, code: number): State
}

function createAutomaton(steps: readonly Step[]): Automaton {
  const states = new Map<string, State>()
  let known = 0
  const stateAt = (from: readonly number[]): State => {
    const reached = new Set(from)
    // A set also visits what is added while it is read.
    for (const at of reached) {
      const step = steps[at]
      if (step?.kind === 'split') for (const next of step.next) reached.add(next)
    }
    const places = [...reached].filter((at) => steps[at]?.kind !== 'split').toSorted((a, b) => a - b)
    const key = places.join(' ')
    const found = states.get(key)
    if (found) return found
    const ones = places.flatMap((at) => {
      const step = steps[at]
      return step?.kind === 'one' ? [step] : []
    })
    const made: State = { ones, isEnd: reached.has(0), next: new Map() }
    states.set(key, made)
    return made
  }
  let first: State | null = null
  return {
    start: () => (first ??= stateAt([steps.length - 1])),
    after(state, code) {
      if (++known > MAX_KNOWN) {
        states.clear()
        first = null
        known = 0
      }
      const character = String.fromCodePoint(code)
      const next = stateAt(state.ones.flatMap((step) => (step.fits(character) ? [step.next] : [])))
      state.next.set(code, next)
      return next
    },
  }
}
