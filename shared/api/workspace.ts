import { z } from 'zod'
import type { Trouble } from '../session/events.ts'
import type { Effort } from '../session/settings/model-facts.ts'
import type { BlobText } from './changes/changes.ts'
import { command, returns } from '../wire/contract.ts'

export interface FolderFacts {
  /** Real path: trust belongs to it. */
  readonly folder: string
  readonly name: string
  /** `changed`: it was trusted, and its configuration that can start programs has changed since. */
  readonly trust: 'yes' | 'no' | 'unasked' | 'changed'
  /** What opening would read or load once trusted; found by name, without reading. */
  readonly wouldLoad: readonly LoadedFile[]
  /** Against the configuration that was trusted; empty unless `trust` is `changed`. */
  readonly changed: readonly ConfigurationChange[]
  /** The hash of the configuration as shown here; null: it was not read. */
  readonly configuration: string | null
}

export type LoadedKind = 'instructions' | 'memory' | 'agents' | 'settings' | 'rules' | 'hooks' | 'commands' | 'skills' | 'servers'

export interface LoadedFile {
  /** From the folder, with `/`. */
  readonly path: string
  readonly kind: LoadedKind
}

/** Null: there is no such file on that side. */
export interface ConfigurationChange {
  readonly path: string
  readonly before: BlobText | null
  readonly after: BlobText | null
}

/** Whether commands run in a copy of the folder first. `wayOut`: one line, with the command to type where there is one. */
export type SandboxSupport =
  | { readonly kind: 'present' }
  | { readonly kind: 'off' }
  | { readonly kind: 'absent'; readonly reason: string; readonly wayOut: string }

/** A slash command as the composer lists it. */
export interface SlashCommandFacts {
  /** Without the slash. */
  readonly name: string
  readonly kind: 'command' | 'skill'
  readonly from: 'project' | 'person' | 'server' | 'built-in'
  readonly description: string
  /** What the arguments are; empty: not said. */
  readonly hint: string
  /** What its file sets for the turn of a message that calls it; null: nothing. */
  readonly model: string | null
  readonly effort: Effort | null
  /** Fields of its file that have no effect here. */
  readonly unusedFields: readonly string[]
}

export interface ListedCommands {
  readonly commands: readonly SlashCommandFacts[]
  /** Files that are no commands, with the reason: a sentence. */
  readonly unused: readonly { readonly path: string; readonly why: string }[]
}

export interface ListedAgents {
  readonly agents: readonly AgentFacts[]
  /** Files, and parts of files, that could not be used. */
  readonly troubles: readonly Trouble[]
}

/** A name that a file defines. */
export interface FoundSymbol {
  readonly name: string
  /** As its language calls it: "function", "class", "fn". */
  readonly kind: string
  /** From the folder, with `/`. */
  readonly path: string
  /** From 1. */
  readonly line: number
}

/** A kind of subagent. */
interface AgentFacts {
  readonly name: string
  readonly description: string
  /** The file that defines it; null: it is built in. */
  readonly path: string | null
  /** Canonical names; null: all that `readsOnly` allows. */
  readonly tools: readonly string[] | null
  /** As its file names it; null: the parent's. */
  readonly model: string | null
  readonly readsOnly: boolean
}

export const workspaceApi = {
  /** The kinds of subagents in a folder, read again; those of the project only if it is trusted. */
  agents: command({ input: z.object({ folder: z.string().min(1).max(4096) }), output: returns<ListedAgents>() }),
  /** The slash commands that a person can call in a folder, read again; none in a folder that is not trusted. */
  commands: command({ input: z.object({ folder: z.string().min(1).max(4096) }), output: returns<ListedCommands>() }),
  /**
   * Files and folders (with `/` at the end) of a trusted folder that fit what was typed, best first, at most 50. `recent`: those that come
   * first among equals.
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
   * What files of a trusted folder define by names that fit what was typed, best first, at most 20. `isReady`: the folder has been read; until
   * then there are none.
   */
  symbols: command({
    input: z.object({ folder: z.string().min(1).max(4096), typed: z.string().max(200) }),
    output: returns<{ readonly symbols: readonly FoundSymbol[]; readonly isReady: boolean }>(),
  }),
  /** For a folder that is trusted; found out once for each. */
  sandbox: command({ input: z.object({ folder: z.string().min(1).max(4096) }), output: returns<SandboxSupport>() }),
  /** Reads only names in a folder that was never trusted, else also the configuration that can start programs. */
  inspect: command({
    input: z.object({ folder: z.string().min(1).max(4096) }),
    output: returns<{ readonly ok: true; readonly facts: FolderFacts } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  trust: command({
    input: z.object({
      folder: z.string().min(1).max(4096),
      trusted: z.boolean(),
      /** `FolderFacts.configuration` as the person saw it. */
      configuration: z.string().max(200).nullable().default(null),
    }),
    output: returns<{ readonly ok: true } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** Folders whose path begins with the typed text; `~` is the home folder. At most 50. */
  complete: command({
    input: z.object({ typed: z.string().max(4096) }),
    output: returns<{ readonly folders: readonly string[]; readonly exists: boolean }>(),
  }),
  recent: command({ input: z.object({}), output: returns<{ readonly folders: readonly string[] }>() }),
}
