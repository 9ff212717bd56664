import { isObject } from '../../../shared/lib/json.ts'

type Schema = Readonly<Record<string, unknown>>

/**
 * Keywords whose value is a schema or a list of schemas, and keywords whose value maps names to schemas. Gemini supports or ignores them.
 */
const HOLDS: readonly string[] = ['items', 'prefixItems', 'additionalProperties', 'anyOf', 'oneOf', 'allOf', 'not']
const HOLDS_BY_NAME: readonly string[] = ['properties', 'patternProperties']
const LEFT_OUT: readonly string[] = ['$schema', '$id', '$comment', '$defs', 'definitions', '$ref']
/** Maximum number of schemas that a tool's schema may contain after definitions are inlined. */
const MAX_SCHEMAS = 2_000

/**
 * A tool's schema in the form that Gemini accepts. Gemini rejects every request with a tool whose schema contains a reference next to other
 * members, a reference to something outside the schema, `true` as a schema, a required name that is not a property, or a list of types that
 * includes `object` or `array`. Definitions are inlined unless they refer to themselves.
 */
export function geminiSchema(schema: Schema): Schema {
  const inlining = new Inlining({ ...asSchema(schema['definitions']), ...asSchema(schema['$defs']) })
  const plain = asSchema(inlining.plain(schema, []))
  const kept = inlining.kept()
  return Object.keys(kept).length === 0 ? plain : { ...plain, $defs: kept }
}

class Inlining {
  readonly #definitions: Schema
  readonly #kept = new Map<string, unknown>()
  #schemas = 0

  constructor(definitions: Schema) {
    this.#definitions = definitions
  }

  /** Definitions that the schema still references, by name. */
  kept(): Schema {
    return Object.fromEntries(this.#kept)
  }

  /** Returns the node with its references inlined. `within` lists the definitions that are currently being inlined around the node. */
  plain(node: unknown, within: readonly string[]): unknown {
    if (typeof node === 'boolean') return {}
    if (!isObject(node)) return node
    this.#schemas++
    const name = this.#nameIn(node)
    if (name === null) return narrowed(this.#members(node, within))
    if (within.includes(name) || this.#schemas > MAX_SCHEMAS) return this.#pointed(node, name)
    const { $ref: _, ...beside } = node
    return this.plain({ ...asSchema(this.#definitions[name]), ...beside }, [...within, name])
  }

  /** Keeps the reference to a definition that is not inlined because it refers to itself or the schema would become too large. */
  #pointed({ description }: Schema, name: string): Schema {
    if (!this.#kept.has(name)) {
      this.#kept.set(name, {})
      this.#kept.set(name, this.plain(this.#definitions[name], [name]))
    }
    return { $ref: `#/$defs/${name}`, ...(typeof description === 'string' && { description }) }
  }

  #nameIn({ $ref: ref }: Schema): string | null {
    const name = typeof ref === 'string' ? /^#\/(?:\$defs|definitions)\/([\w.-]+)$/.exec(ref)?.[1] : undefined
    return name !== undefined && Object.hasOwn(this.#definitions, name) ? name : null
  }

  #members(node: Schema, within: readonly string[]): Schema {
    const entries = Object.entries(node).filter(([keyword]) => !LEFT_OUT.includes(keyword))
    return Object.fromEntries(
      entries.map(([keyword, value]): [string, unknown] => {
        if (keyword === 'additionalProperties' && typeof value === 'boolean') return [keyword, value]
        if (HOLDS.includes(keyword))
          return [keyword, Array.isArray(value) ? value.map((held) => this.plain(held, within)) : this.plain(value, within)]
        if (!HOLDS_BY_NAME.includes(keyword) || !isObject(value)) return [keyword, value]
        return [keyword, Object.fromEntries(Object.entries(value).map(([name, held]) => [name, this.plain(held, within)]))]
      }),
    )
  }
}

/**
 * Adapts one schema, but not its children: `required` lists only existing properties, `const` becomes `enum`, and a list of types that
 * contains object or array is split into schemas with one type each.
 */
function narrowed({ required, const: only, type, ...rest }: Schema): Schema {
  const properties = asSchema(rest['properties'])
  const known = Array.isArray(required) ? required.filter((name) => typeof name === 'string' && Object.hasOwn(properties, name)) : []
  const narrow = {
    ...(type !== undefined && { type }),
    ...rest,
    ...((typeof only === 'string' || typeof only === 'number') && { enum: [only] }),
    ...(known.length > 0 && { required: known }),
  }
  if (!Array.isArray(type) || !type.some((one) => one === 'object' || one === 'array')) return narrow
  const types = type.filter((one) => one !== 'null')
  return types.length === 1 ? { ...narrow, type: types[0] } : { anyOf: types.map((one) => ({ ...narrow, type: one as unknown })) }
}

const asSchema = (value: unknown): Schema => (isObject(value) ? value : {})
