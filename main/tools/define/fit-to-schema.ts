import { wordList } from '../../../shared/lib/word-list.ts'
import { isObject } from '../../../shared/lib/json.ts'
import { takesWords } from './define-tool.ts'

export interface Fitted<A> {
  /** The arguments, under the names that the schema lists. */
  readonly args: A
  /** A note for the model about arguments that the schema does not list. Null if it lists all. */
  readonly note: string | null
}

/** Names that models use for the maximum number of results, in lower case and without separators. */
const LIMITS: ReadonlySet<string> = new Set(
  wordList(`
  limit max count n num top topk take pagesize perpage maxcount maxentries maxitems maxlimit maxresults numresults nresults
  resultlimit resultcount numberofresults
`),
)

/** Keywords of a schema that may allow names which `properties` does not list. */
const OPEN = ['patternProperties', 'propertyNames', 'anyOf', 'oneOf', 'allOf', '$ref', 'if', 'dependentSchemas'] as const

/**
 * Fits a call's arguments to the JSON schema of a tool that others wrote. An unknown name becomes a listed one if it differs only in style
 * (`maxResults`, `max_results`) or means the same limit, and no other name fits. Other unknown names are kept, because the tool may know
 * them, and are named in the note.
 */
export function fitToSchema<V>(schema: Readonly<Record<string, unknown>>, given: Readonly<Record<string, V>>): Fitted<Record<string, V>> {
  const { properties, additionalProperties, required } = schema
  const isOpen = additionalProperties === true || isObject(additionalProperties) || OPEN.some((keyword) => keyword in schema)
  if (isOpen || !isObject(properties)) return { args: { ...given }, note: null }
  const listed = Object.keys(properties)
  const missing = listed.filter((name) => !Object.hasOwn(given, name))
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(properties, name))
  const meant = new Map(unknown.map((name) => [name, nameMeant(name, missing)]))
  const names = [...meant.values()]
  const isTaken = (name: string | null): boolean => name !== null && names.filter((one) => one === name).length === 1
  const renamed = Object.entries(given).map(([name, value]): [string, V] => {
    const as = meant.get(name) ?? null
    return [as !== null && isTaken(as) ? as : name, value]
  })
  const left = unknown.filter((name) => !isTaken(meant.get(name) ?? null))
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name)
  return { args: Object.fromEntries(renamed), note: left.length === 0 ? null : noteAbout(left, listed, isRequired) }
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/gu, '')

function nameMeant(name: string, missing: readonly string[]): string | null {
  const alike = missing.filter((one) => plain(one) === plain(name))
  const [only, ...others] = alike.length === 0 && LIMITS.has(plain(name)) ? missing.filter((one) => LIMITS.has(plain(one))) : alike
  return only !== undefined && others.length === 0 ? only : null
}

/** Maximum number of unknown names that are listed. */
const NAMED = 5

function noteAbout(unknown: readonly string[], listed: readonly string[], isRequired: (name: string) => boolean): string {
  return `The tool lists no argument ${unknown.slice(0, NAMED).join(', ')}, so it may have had no effect. ${takesWords(listed, isRequired)}`
}
