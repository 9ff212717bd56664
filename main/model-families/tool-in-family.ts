import { changed } from '../agent/reason.ts'
import { isObject } from '../../shared/lib/json.ts'
import type { JsonValue } from '../../shared/session/content.ts'
import type { Tool } from '../agent/ports/tool.ts'
import type { ToolDefinition } from '../agent/ports/provider.ts'
import { type FamilyForm, formOf } from './family-tool-forms.ts'
import type { ProviderProfile } from './family-profile.ts'

/** A tool with a model family's names for the tool and its arguments, and otherwise unchanged. */
export function toolInFamily(family: ProviderProfile['id'], tool: Tool): Tool {
  const form = formOf(family, tool.definition.name)
  const { grammar } = form
  if (grammar !== undefined) return { ...tool, offered: withGrammar(tool.definition, grammar) }
  if (form.name === undefined && form.arguments === undefined && form.zeroBased === undefined) return tool
  const own = <V>(args: { readonly [key: string]: V }): { readonly [key: string]: V } => ourArguments(form, args)
  const { canonicalArguments } = tool
  return {
    ...tool,
    offered: offeredAs(tool.definition, form),
    ...(form.name !== undefined && { otherNames: [form.name, ...(tool.otherNames ?? [])] }),
    canonicalArguments: (args) => canonicalArguments?.(own<JsonValue>(args)) ?? own<JsonValue>(args),
    validate(args) {
      const valid = tool.validate(isObject(args) ? own(args) : args)
      if (valid.ok) return valid
      const { failure, advice } = valid
      return {
        ok: false,
        failure: changed(failure, (text) => inTheirWords(form, text)),
        ...(advice !== undefined && { advice: inTheirWords(form, advice) }),
      }
    },
  }
}

function withGrammar(definition: ToolDefinition, grammar: string): ToolDefinition {
  return {
    name: definition.name,
    description: definition.description,
    get parameters() {
      return definition.parameters
    },
    freeForm: { grammar },
  }
}

function offeredAs(definition: ToolDefinition, form: FamilyForm): ToolDefinition {
  let schema: ToolDefinition['parameters'] | null = null
  return {
    name: form.name ?? definition.name,
    description: definition.description,
    // The schema is created lazily, like the parameters of the original tool.
    get parameters() {
      return (schema ??= theirSchema(form, definition.parameters))
    },
  }
}

function theirSchema(
  { arguments: names = {}, zeroBased = [] }: FamilyForm,
  schema: ToolDefinition['parameters'],
): ToolDefinition['parameters'] {
  const { properties, required } = schema as {
    readonly properties?: Readonly<Record<string, object>>
    readonly required?: readonly string[]
  }
  const described = Object.entries(properties ?? {}).map(([name, property]) => {
    const counted = zeroBased.includes(name) ? { ...property, minimum: 0, description: FROM_ZERO } : property
    return [names[name] ?? name, counted] as const
  })
  return {
    ...schema,
    properties: Object.fromEntries(described),
    ...(required && { required: required.map((name) => names[name] ?? name) }),
  }
}

const FROM_ZERO = 'Line to start from; the first line is 0.'

function ourArguments<V>(
  { arguments: names = {}, zeroBased = [] }: FamilyForm,
  args: { readonly [key: string]: V },
): { readonly [key: string]: V } {
  const ours = new Map(Object.entries(names).map(([own, theirs]) => [theirs, own]))
  const named = Object.entries(args).map(([name, value]) => {
    const own = ours.get(name)
    return own === undefined || Object.hasOwn(args, own) ? ([name, value] as const) : ([own, value] as const)
  })
  return Object.fromEntries(
    named.map(([name, value]) => [name, zeroBased.includes(name) && typeof value === 'number' ? ((value + 1) as V) : value] as const),
  )
}

/** Replaces our argument names in an error message with the family's names. */
function inTheirWords({ arguments: names = {} }: FamilyForm, failure: string): string {
  return Object.entries(names).reduce((text, [own, theirs]) => text.replaceAll(new RegExp(String.raw`\b${own}\b`, 'gu'), theirs), failure)
}
