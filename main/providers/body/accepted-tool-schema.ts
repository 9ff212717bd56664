import { isObject } from '../../../shared/lib/json.ts'
import type { ToolDefinition } from '../../agent/ports/provider.ts'

type Schema = Readonly<Record<string, unknown>>

/** Keywords that OpenAI and Anthropic do not allow at the top of a tool's schema: they reject the whole request. */
const NOT_AT_THE_TOP = ['oneOf', 'anyOf', 'allOf', 'not', 'enum'] as const
/** Keywords whose value is a schema or a list of schemas, and keywords whose value maps names to schemas. */
const HOLDS = ['items', 'prefixItems', 'additionalProperties', 'anyOf', 'oneOf', 'allOf', 'not', 'contains', 'if', 'then', 'else']
const HOLDS_BY_NAME = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']

/**
 * Returns a tool whose schema all services accept: an object at the top, with `properties` and without alternatives, and with `items` for
 * every array. Schemas of tools that are not ours often have another form. Information that is lost in the conversion is added to the
 * description. A schema that already has the accepted form is not changed.
 */
export function withAcceptedSchema({ name, description, parameters }: ToolDefinition): ToolDefinition {
  const { $schema: _, ...schema } = parameters
  const left = NOT_AT_THE_TOP.filter((keyword) => schema[keyword] !== undefined)
  const plain = takenSchema(left.length === 0 ? schema : merged(schema)) as Schema
  const top = {
    ...(plain['type'] === undefined && { type: 'object' }),
    ...plain,
    ...(!isObject(plain['properties']) && { properties: {} }),
  }
  const dropped = JSON.stringify(Object.fromEntries(left.map((keyword) => [keyword, schema[keyword]])))
  const also = left.length === 0 ? '' : `\n\nThe arguments must also fit this JSON Schema: ${dropped}`
  return { name, description: description + also, parameters: top }
}

/**
 * Removes the alternatives at the top of a schema. The result has the properties of all alternatives, and requires only the properties that
 * every alternative requires.
 */
function merged(schema: Schema): Schema {
  const rest = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !NOT_AT_THE_TOP.some((other) => other === keyword)))
  const all = listOf(schema['allOf']).map((branch) => resolved(branch, schema))
  const choices = [listOf(schema['anyOf']), listOf(schema['oneOf'])].map((branches) => branches.map((branch) => resolved(branch, schema)))
  const properties = [...choices.flat(), ...all].map((branch) => (isObject(branch['properties']) ? branch['properties'] : {}))
  const required = [
    ...requiredIn(schema),
    ...all.flatMap(requiredIn),
    ...choices.flatMap(([first, ...others]) =>
      first ? requiredIn(first).filter((name) => others.every((other) => requiredIn(other).includes(name))) : [],
    ),
  ]
  const own = isObject(schema['properties']) ? schema['properties'] : {}
  return {
    ...rest,
    properties: Object.assign({}, ...properties, own) as Schema,
    ...(required.length > 0 && { required: [...new Set(required)] }),
  }
}

/** Replaces an alternative that refers to a definition with that definition. */
function resolved(branch: unknown, { $defs, definitions }: Schema): Schema {
  if (!isObject(branch)) return {}
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(String(branch['$ref']))?.[1]
  const all = { ...(isObject(definitions) ? definitions : {}), ...(isObject($defs) ? $defs : {}) }
  const target = name === undefined ? undefined : all[name]
  return isObject(target) ? target : branch
}

function requiredIn({ required }: Schema): readonly string[] {
  return listOf(required).filter((name) => typeof name === 'string')
}

function takenSchema(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const taken = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (keyword === 'items' && Array.isArray(value)) return [keyword, value.length === 0 ? {} : { anyOf: value.map(takenSchema) }]
    if (HOLDS.includes(keyword)) return [keyword, Array.isArray(value) ? value.map(takenSchema) : takenSchema(value)]
    if (!HOLDS_BY_NAME.includes(keyword) || !isObject(value)) return [keyword, value]
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, held]) => [name, takenSchema(held)]))]
  })
  const isList = schema['type'] === 'array' || listOf(schema['type']).includes('array')
  const saysOfWhat = schema['items'] !== undefined || schema['prefixItems'] !== undefined
  return Object.fromEntries(isList && !saysOfWhat ? [...taken, ['items', {}]] : taken)
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
