import { z } from 'zod'
import type { Trouble } from '../session/events.ts'
import type { Done } from './sessions.ts'
import { command, items, returns, stream } from '../wire/contract.ts'

export interface McpToolState {
  /** As the server calls it. */
  readonly name: string
  /** As rules and the model call it. */
  readonly calledAs: string
  /** How it begins; `describe` has all of it. */
  readonly description: string
  readonly isOn: boolean
}

/** The state of the sign-in at a server that requires one. */
export type McpSignIn =
  /** It has not asked. */
  | { readonly kind: 'none' }
  | { readonly kind: 'needed' }
  /** The person has to open `address`. */
  | { readonly kind: 'waiting'; readonly address: string }
  | { readonly kind: 'signed_in' }

/** A variable of a server's entry, as `${NAME}` or `${input:id}`. */
export interface McpVariable {
  readonly name: string
  /** Where its value comes from. `stored`: the person gave it as a secret of this server. */
  readonly from: 'stored' | 'environment' | 'default' | 'missing'
}

/** An MCP server of an open folder. */
export interface McpServerState {
  /** Real path. */
  readonly folder: string
  readonly name: string
  /** Whose file names it. */
  readonly origin: 'you' | 'project'
  /** The command line or the address, as the file has it. */
  readonly target: string
  /** Whether it runs confined to the folder. Null: it is not a program of this machine, or has not been started. */
  readonly isConfined: boolean | null
  /** The person lets it run with all their rights. */
  readonly isFree: boolean
  readonly status: 'starting' | 'running' | 'failed'
  /** Why it failed. Null unless `status` is `failed`. */
  readonly failure: string | null
  readonly signIn: McpSignIn
  readonly variables: readonly McpVariable[]
  /** The tools that it has now. */
  readonly tools: readonly McpToolState[]
  /** Estimated tokens that its offered tools take in each request, or would take if they were not searched. */
  readonly tokens: number
  /** The tools of this folder's servers are too many for each request, so the model searches them. */
  readonly isSearched: boolean
  /** The hash of the tools to approve. Null: nothing waits for approval. */
  readonly toApprove: string | null
  /** Other tools were approved earlier. */
  readonly hasChanged: boolean
  /** The last lines it wrote to stderr, and what happened to it, oldest first. */
  readonly log: readonly string[]
}

/** Why a server needs the person. `changed`: it has other tools now than those that were approved. */
export type McpAttention = 'approve' | 'changed' | 'failed' | 'sign_in'

/** Null: it needs nothing. */
export function attentionOf({ signIn, status, toApprove, hasChanged }: McpServerState): McpAttention | null {
  if (signIn.kind === 'needed') return 'sign_in'
  if (status === 'failed') return 'failed'
  if (toApprove === null) return null
  return hasChanged ? 'changed' : 'approve'
}

/** What a server can be asked for by its address. */
export interface McpResource {
  readonly server: string
  readonly uri: string
  readonly name: string
  readonly description: string
}

/** The text of a resource; or why there is none. */
export type McpResourceText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly trouble: Trouble }

export interface McpState {
  readonly servers: readonly McpServerState[]
  /** Where secrets and sign-ins are kept; `memory`: until the app ends. */
  readonly keptIn: 'keychain' | 'memory'
  /** Entries of files that cannot be used, in words for the person. */
  readonly problems: readonly string[]
}

/** Something that is left out, and why. */
export interface McpImportNote {
  readonly what: string
  readonly why: string
}

/** A server in a file of another agent. */
export interface McpImportServer {
  /** Names the server exactly as it is in its file now. */
  readonly id: string
  readonly agent: 'claude-code' | 'vs-code' | 'codex' | 'gemini'
  readonly file: string
  readonly name: string
  /** The command line or the address, without values that look like secrets. */
  readonly target: string
  /** Names of the variables that it needs. */
  readonly variables: readonly string[]
  /** Values that look like secrets, by the names of the variables that would stand for them. */
  readonly secrets: readonly string[]
  /** Fields that are not taken. */
  readonly notTaken: readonly McpImportNote[]
  /** The person's own file has a server of this name. */
  readonly isKnown: boolean
}

/**
 * What becomes of values that look like secrets. `store`: they are kept as secrets of the server, and its entry refers to them. `keep`: the
 * entry has them in clear text, as the file that they come from. `leave`: the entry refers to them, and they are given later.
 */
export const IMPORTED_SECRETS = ['store', 'keep', 'leave'] as const
export type ImportedSecrets = (typeof IMPORTED_SECRETS)[number]

export interface McpImportPreview {
  /** The files that were found. */
  readonly files: readonly string[]
  readonly servers: readonly McpImportServer[]
  readonly leftOut: readonly (McpImportNote & { readonly file: string })[]
}

const server = { folder: z.string().min(1), name: z.string().min(1) }

export const mcpApi = {
  watch: stream({ input: z.object({}), item: items<McpState>() }),
  /** The servers of other agents: the person's and, where a folder is given and trusted, that folder's. Changes nothing. */
  importPreview: command({ input: z.object({ folder: z.string().nullable() }), output: returns<McpImportPreview>() }),
  /** Adds the servers with these ids to the person's own file. They start in all open folders. */
  import: command({
    input: z.object({ folder: z.string().nullable(), ids: z.array(z.string()).min(1).max(200), secrets: z.enum(IMPORTED_SECRETS) }),
    output: returns<Done>(),
  }),
  /** All that the model would read about a tool: its description and the schema of its arguments. Null: the server has no such tool now. */
  describe: command({ input: z.object({ ...server, tool: z.string() }), output: returns<{ readonly text: string | null }>() }),
  /** Offers the server's tools to the model. Fails if they are no longer those of `hash`. */
  approve: command({ input: z.object({ ...server, hash: z.string().min(1) }), output: returns<Done>() }),
  /** Resources of the folder's servers that run, of which the address or the name holds what was typed; at most 8. */
  resources: command({
    input: z.object({ folder: z.string().min(1), typed: z.string().max(1000) }),
    output: returns<{ readonly resources: readonly McpResource[] }>(),
  }),
  /** Asks the server for the text of a resource, at most 30,000 characters of it. */
  resource: command({ input: z.object({ ...server, uri: z.string().min(1).max(10_000) }), output: returns<McpResourceText>() }),
  /** Begins to sign in at the server; its state then holds the address to open. */
  signIn: command({ input: z.object(server), output: returns<Done>() }),
  cancelSignIn: command({ input: z.object(server), output: returns<Done>() }),
  /** Removes what signs the person in. */
  signOut: command({ input: z.object(server), output: returns<Done>() }),
  /** Keeps the value of a variable of the server's entry as a secret, or removes it (null), and starts the server again. */
  setSecret: command({
    input: z.object({ ...server, variable: z.string().min(1).max(200), value: z.string().min(1).max(20_000).nullable() }),
    output: returns<Done>(),
  }),
  restart: command({ input: z.object(server), output: returns<Done>() }),
  switchTool: command({ input: z.object({ ...server, tool: z.string(), isOn: z.boolean() }), output: returns<Done>() }),
  /** Starts the server again, confined to the folder or with all of the person's rights. */
  setFree: command({ input: z.object({ ...server, isFree: z.boolean() }), output: returns<Done>() }),
}
