import { z } from 'zod'
import type { JsonValue } from '../../session/content.ts'
import type { Aliases } from '../foreign-arguments/argument-aliases.ts'
import type { RefusedArgument, Refusals } from '../foreign-arguments/argument-refusals.ts'
import type { CallFacts, CallLine } from './call-line.ts'

/** For tools that store nothing for the screen. */
export const NO_DETAILS = z.null()

/** Cache of parsed details, because a row of the ledger needs them several times. */
const parsed = new WeakMap<z.ZodType, WeakMap<object, unknown>>()

/**
 * Editing tools of other agents that each correspond to several tools of Countersign. The argument `command` of a call says which of these
 * tools is meant.
 */
const EDITOR_NAMES: readonly string[] = ['str_replace_based_edit_tool', 'str_replace_editor']

type Names = Pick<ToolSpec, 'otherNames' | 'editorCommands'>

/** Marks an argument that other agents use. The argument works, but it is not described to models. */
export const UNLISTED = { unlisted: true } as const

type Arguments = Record<string, unknown>

/** Everything that all sides know about a tool: its names, its arguments, what it stores for the screen, and the words for a call. */
export interface ToolSpec<I extends z.ZodType = z.ZodType, D extends z.ZodType = z.ZodType> {
  /** The canonical name, which is the only one in the log and on the screen. */
  readonly name: string
  /** The verb of a call whose arguments are not known yet: "Read", "Edit", "Run". */
  readonly verb: string
  /** The description for the model. */
  readonly description: string
  /** When to use the tool, as a line of the system prompt. If absent, the description is enough. */
  readonly use?: string
  /** Whether every model gets the tool, after those that only its family gets. Default: no. */
  readonly isOffered?: boolean
  readonly input: I
  /**
   * The data that an ended call stores for the screen. Logs of older versions are read too, so a field that is added later needs a
   * default.
   */
  readonly details: D
  /** The words for a call. Must not throw, whatever the arguments are, because they come from a model. */
  line(call: CallFacts, details: z.output<D> | null): CallLine
  /** What a tool without effects reads: the project, or data of the session. If absent, the tool may have effects. */
  readonly reads?: 'project' | 'session'
  /** Names of this tool in other agents. If several tools share such a name, the name means the tool that comes first in the catalogue. */
  readonly otherNames?: readonly string[]
  /** The commands that mean this tool, for agents that have one editing tool with a `command` argument. */
  readonly editorCommands?: readonly string[]
  /** Other agents' names for the arguments. */
  readonly aliases?: Aliases
  /** The last step of the conversion from other agents' arguments to Countersign's, after the renaming. */
  complete?(args: Arguments): Arguments
  /** Arguments of other agents that would change the meaning of a call and that this tool does not have. */
  readonly refuses?: Refusals
  /** Why a part of the arguments is refused, for tools whose arguments are lists of calls. Null if nothing is refused. */
  nestedRefusal?(args: Arguments): RefusedArgument | null
  /** Whether a call runs a command line. Such a call has its own terminal if this machine supports terminals. Default: never. */
  runsCommand?(args: { readonly [key: string]: JsonValue }): boolean
}

/** Lets the compiler check a spec without losing its exact types. */
export function toolSpec<I extends z.ZodType, D extends z.ZodType>(spec: ToolSpec<I, D>): ToolSpec<I, D> {
  return spec
}

/** The names of a tool in other agents. */
export function otherNamesOf({ otherNames = [], editorCommands = [] }: Names): readonly string[] {
  return editorCommands.length > 0 ? [...otherNames, ...EDITOR_NAMES] : otherNames
}

/** Whether a call by one of a tool's other names means that tool, given its arguments. */
export function isMeant({ editorCommands = [] }: Names, calledAs: string, args: Readonly<Record<string, unknown>>): boolean {
  const { command } = args
  return !EDITOR_NAMES.includes(calledAs) || (typeof command === 'string' && editorCommands.includes(command))
}

/**
 * The details that a call of this tool stored. Null if the call has not ended, is a call of another tool, or stored details that do not
 * match the schema.
 */
export function detailsOf<D extends z.ZodType>(spec: ToolSpec<z.ZodType, D>, call: CallFacts): z.output<D> | null {
  return call.toolName === spec.name ? parsedAs(spec.details, call.details) : null
}

/** Parses stored details. Null if they do not match the schema. Never throws. */
export function parsedAs<D extends z.ZodType>(schema: D, value: JsonValue | undefined): z.output<D> | null {
  if (typeof value !== 'object' || value === null) return null
  let known = parsed.get(schema)
  if (!known) parsed.set(schema, (known = new WeakMap()))
  if (!known.has(value)) known.set(value, schema.safeParse(value).data ?? null)
  return known.get(value) as z.output<D> | null
}
