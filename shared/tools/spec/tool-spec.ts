import type { z } from 'zod'
import type { JsonValue } from '../../session/content.ts'
import type { Aliases } from '../arguments/aliases.ts'
import type { Refusals } from '../arguments/refusals.ts'
import type { CallFacts, CallLine } from './call-line.ts'

/** Marks an argument that other agents use. It works, but is not described to models. */
export const UNLISTED = { unlisted: true } as const

type Arguments = Record<string, unknown>

/** What every side knows about a tool: its names, what it takes, what it stores for the screen, and how a call is put into words. */
export interface ToolSpec<I extends z.ZodType = z.ZodType, D extends z.ZodType = z.ZodType> {
  /** The canonical name: the only one in the log and on the screen. */
  readonly name: string
  /** "Read", "Edit", "Run": for a call whose arguments are not known yet. */
  readonly verb: string
  /** What the model is told. */
  readonly description: string
  readonly input: I
  /** What an ended call stores for the screen. Logs of older versions are read too, so a field that is added later needs a default. */
  readonly details: D
  /** A call in words. Must not throw, whatever the arguments are: they come from a model. */
  line(call: CallFacts, details: z.output<D> | null): CallLine
  /** What a tool without effects reads: the project, or data of the session. Absent: it may have effects. */
  readonly reads?: 'project' | 'session'
  /** Names of this tool in other agents. If several tools share a name, it stands for the first one in the catalogue. */
  readonly otherNames?: readonly string[]
  /** Some agents have one editing tool with a `command` argument: the commands that mean this tool. */
  readonly editorCommands?: readonly string[]
  /** Other agents' names of the arguments. */
  readonly aliases?: Aliases
  /** The last step from other agents' arguments to ours, after the names. */
  complete?(args: Arguments): Arguments
  /** Arguments of other agents that would change the meaning of a call and that this tool does not have. */
  readonly refuses?: Refusals
  /** Why a part of the arguments is refused, for tools that take lists of calls. Null: nothing is refused. */
  nestedRefusal?(args: Arguments): string | null
  /** Whether a call runs a command line. Such a call has its own terminal if the machine has terminals. Default: never. */
  runsCommand?(args: { readonly [key: string]: JsonValue }): boolean
}

/** Checks a spec and keeps its exact types. */
export function toolSpec<I extends z.ZodType, D extends z.ZodType>(spec: ToolSpec<I, D>): ToolSpec<I, D> {
  return spec
}
