import { z } from 'zod'
import type { Trouble } from '../session/events.ts'
import type { Effort } from '../session/settings/model-facts.ts'
import type { BlobText } from './changes/changes.ts'
import { command, returns } from '../wire/contract.ts'

export interface FolderFacts {
  /** Real path. Trust is stored for this path. */
  readonly folder: string
  readonly name: string
  /** `changed`: the folder was trusted, but its configuration that can start programs has changed since. */
  readonly trust: 'yes' | 'no' | 'unasked' | 'changed'
  /** The files that opening the folder would read or load once it is trusted. They were found by name, without reading them. */
  readonly wouldLoad: readonly LoadedFile[]
  /** Changes from the configuration that was trusted. Empty unless `trust` is `changed`. */
  readonly changed: readonly ConfigurationChange[]
  /** The hash of the configuration that is shown here. Null if it was not read. */
  readonly configuration: string | null
}

export type LoadedKind = 'instructions' | 'memory' | 'agents' | 'settings' | 'rules' | 'hooks' | 'commands' | 'skills' | 'servers'

export interface LoadedFile {
  /** Path relative to the folder, with `/` as the separator. */
  readonly path: string
  readonly kind: LoadedKind
}

/** A version is null if the file does not exist on that side. */
export interface ConfigurationChange {
  readonly path: string
  readonly before: BlobText | null
  readonly after: BlobText | null
}

/**
 * Whether commands run in a copy of the folder first. `wayOut` is one line about what the user can do, with the command to type if there is
 * one.
 */
export type SandboxSupport =
  | { readonly kind: 'present'; /** Why sessions beside the folder work in clones of it. */ readonly clones: string | null }
  | { readonly kind: 'off' }
  | { readonly kind: 'absent'; readonly reason: string; readonly wayOut: string }

/** A slash command in the list of the composer. */
export interface SlashCommandFacts {
  /** Name without the slash. */
  readonly name: string
  readonly kind: 'command' | 'skill'
  readonly from: 'project' | 'person' | 'server' | 'built-in'
  readonly description: string
  /** A description of the arguments. Empty if there is none. */
  readonly hint: string
  /** The model that the command's file sets for the turn of a message that calls the command. Null if it sets none. */
  readonly model: string | null
  /** The effort that the command's file sets for that turn. Null if it sets none. */
  readonly effort: Effort | null
  /** Fields of the command's file that have no effect here. */
  readonly unusedFields: readonly string[]
}

export interface ListedCommands {
  readonly commands: readonly SlashCommandFacts[]
  /** Files that are not commands, each with a sentence about the reason. */
  readonly unused: readonly { readonly path: string; readonly why: string }[]
}

export interface ListedAgents {
  readonly agents: readonly AgentFacts[]
  /** Files, and parts of files, that could not be used. */
  readonly troubles: readonly Trouble[]
}

/** A name that is defined in a file. */
export interface FoundSymbol {
  readonly name: string
  /** The kind of symbol, in the language's own words: "function", "class", "fn". */
  readonly kind: string
  /** Path relative to the folder, with `/` as the separator. */
  readonly path: string
  /** Line number, from 1. */
  readonly line: number
}

/** A kind of subagent. */
interface AgentFacts {
  readonly name: string
  readonly description: string
  /** The file that defines the kind. Null if it is built in. */
  readonly path: string | null
  /** Canonical names of the tools. Null for all tools that `readsOnly` allows, except `excludedTools`. */
  readonly tools: readonly string[] | null
  readonly excludedTools: readonly string[]
  /** The model in the kind's file. Null for the parent's model. */
  readonly model: string | null
  readonly readsOnly: boolean
}

export const workspaceApi = {
  /** The kinds of subagents in a folder, read again. The project's own kinds are included only if it is trusted. */
  agents: command({ input: z.object({ folder: z.string().min(1).max(4096) }), output: returns<ListedAgents>() }),
  /** The slash commands that the user can call in a folder, read again. A folder that is not trusted has none. */
  commands: command({ input: z.object({ folder: z.string().min(1).max(4096) }), output: returns<ListedCommands>() }),
  /**
   * Files and folders in a trusted folder that match the typed text, best first, at most 50. The path of a folder ends with `/`. Matching
   * paths in `recent` come before all others.
   */
  files: command({
    input: z.object({
      folder: z.string().min(1).max(4096),
      typed: z.string().max(1024),
      recent: z.array(z.string().max(4096)).max(100).default([]),
    }),
    output: returns<{ readonly paths: readonly string[] }>(),
  }),
  /**
   * Names defined in files of a trusted folder that match the typed text, best first, at most 20. `isReady` is true once the folder has
   * been read. Before that, there are no symbols.
   */
  symbols: command({
    input: z.object({ folder: z.string().min(1).max(4096), typed: z.string().max(200) }),
    output: returns<{ readonly symbols: readonly FoundSymbol[]; readonly isReady: boolean }>(),
  }),
  /** The sandbox support for a trusted folder. It is determined once for each folder. */
  sandbox: command({ input: z.object({ folder: z.string().min(1).max(4096) }), output: returns<SandboxSupport>() }),
  /**
   * Returns the facts about a folder. In a folder that was never trusted, only names are read. Otherwise the configuration that can start
   * programs is read too.
   */
  inspect: command({
    input: z.object({ folder: z.string().min(1).max(4096) }),
    output: returns<{ readonly ok: true; readonly facts: FolderFacts } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  trust: command({
    input: z.object({
      folder: z.string().min(1).max(4096),
      trusted: z.boolean(),
      /** `FolderFacts.configuration` in the version that the user saw. */
      configuration: z.string().max(200).nullable().default(null),
    }),
    output: returns<{ readonly ok: true } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** Folders whose path begins with the typed text, at most 50. `~` is the home folder. */
  complete: command({
    input: z.object({ typed: z.string().max(4096) }),
    output: returns<{ readonly folders: readonly string[]; readonly exists: boolean }>(),
  }),
  recent: command({ input: z.object({}), output: returns<{ readonly folders: readonly string[] }>() }),
}
