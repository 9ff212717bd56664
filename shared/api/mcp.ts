import { z } from 'zod'
import type { Trouble } from '../session/events.ts'
import { type ChangedScript, ScriptHashes } from './changed-scripts.ts'
import type { Done } from './sessions.ts'
import { command, items, returns, stream } from '../wire/contract.ts'

export interface McpToolState {
  /** The server's name for the tool. */
  readonly name: string
  /** The name that rules and the model use. */
  readonly calledAs: string
  /** The beginning of the description. `describe` returns the complete description. */
  readonly description: string
  readonly isOn: boolean
}

/** The state of the sign-in to a server that requires one. */
export type McpSignIn =
  /** The server has not requested a sign-in. */
  | { readonly kind: 'none' }
  | { readonly kind: 'needed' }
  /** The user has to open `address`. */
  | { readonly kind: 'waiting'; readonly address: string }
  | { readonly kind: 'signed_in' }

/** A variable in a server's configuration, written as `${NAME}` or `${input:id}`. */
export interface McpVariable {
  readonly name: string
  /** Where the value comes from. `stored`: the user entered it as a secret of this server. */
  readonly from: 'stored' | 'environment' | 'default' | 'missing'
}

/** An MCP server of an open folder. */
export interface McpServerState {
  /** Real path. */
  readonly folder: string
  readonly name: string
  /** Whose file configures the server. */
  readonly origin: 'you' | 'project'
  /** The command line or the address, as written in the file. */
  readonly target: string
  /** Whether the server runs confined to the folder. Null if it is not a program on this machine or has not been started. */
  readonly isConfined: boolean | null
  /** Whether the user lets the server run with all the user's rights. */
  readonly isFree: boolean
  /** Files of the folder that the server names and that changed since the user trusted them, if that is why it did not start. */
  readonly changed: readonly ChangedScript[]
  /** The files of the folder that the server names, with their content at its last start. Null if it was not started as a program. */
  readonly scripts: ScriptHashes | null
  readonly status: 'starting' | 'running' | 'failed'
  /** Why the server failed. Null unless `status` is `failed`. */
  readonly failure: string | null
  readonly signIn: McpSignIn
  readonly variables: readonly McpVariable[]
  /** The current tools of the server. */
  readonly tools: readonly McpToolState[]
  /**
   * Estimated number of tokens that this server's tools add to each request. If the model searches the tools instead, the number that they
   * would add.
   */
  readonly tokens: number
  /**
   * Whether the model searches the tools of this folder's servers, because including them all in each request would take too many tokens.
   */
  readonly isSearched: boolean
  /** The hash of the tools to approve. Null if nothing waits for approval. */
  readonly toApprove: string | null
  /** Whether different tools of this server were approved earlier. */
  readonly hasChanged: boolean
  /** The last lines that the server wrote to stderr, and what happened to the server, oldest first. */
  readonly log: readonly string[]
}

/** Why a server needs the user. `changed`: its current tools differ from those that were approved. */
export type McpAttention = 'approve' | 'changed' | 'failed' | 'sign_in'

/** Null if the server needs nothing. */
export function attentionOf({ signIn, status, toApprove, hasChanged }: McpServerState): McpAttention | null {
  if (signIn.kind === 'needed') return 'sign_in'
  if (status === 'failed') return 'failed'
  if (toApprove === null) return null
  return hasChanged ? 'changed' : 'approve'
}

/** A resource that can be requested from a server by its address. */
export interface McpResource {
  readonly server: string
  readonly uri: string
  readonly name: string
  readonly description: string
}

/** The text of a resource, or why there is none. */
export type McpResourceText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly trouble: Trouble }

export interface McpState {
  readonly servers: readonly McpServerState[]
  /** Where secrets and sign-ins are stored. `memory` means until the app ends. `pending`: the system's keychain has not opened yet. */
  readonly keptIn: 'keychain' | 'memory' | 'pending'
  /** Messages for the user about configuration files, or entries in them, that cannot be used. */
  readonly problems: readonly string[]
}

/** Something that is left out, and why. */
export interface McpImportNote {
  readonly what: string
  readonly why: string
}

/** A server in a file of another agent. */
export interface McpImportServer {
  /** Identifies the server and its current configuration in the file. */
  readonly id: string
  readonly agent: 'claude-code' | 'vs-code' | 'codex' | 'gemini'
  readonly file: string
  readonly name: string
  /** The command line or the address, without values that look like secrets. */
  readonly target: string
  /** Names of the variables that the server needs. */
  readonly variables: readonly string[]
  /** Names of the variables that would replace the values that look like secrets. */
  readonly secrets: readonly string[]
  /** Fields that are not imported. */
  readonly notTaken: readonly McpImportNote[]
  /** Whether the user's own file already has a server with this name. */
  readonly isKnown: boolean
}

/**
 * What happens to values that look like secrets. `store`: they are stored as secrets of the server, and its entry contains references.
 * `keep`: the entry contains them in clear text, like the imported file. `leave`: the entry contains references, and the user sets the
 * values later.
 */
const IMPORTED_SECRETS = ['store', 'keep', 'leave'] as const
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
  /** The servers of other agents: the user's servers and, if a folder is given and trusted, those of the folder. Changes nothing. */
  importPreview: command({ input: z.object({ folder: z.string().nullable() }), output: returns<McpImportPreview>() }),
  /** Adds the servers with these ids to the user's own file. They start in all open folders. */
  import: command({
    input: z.object({ folder: z.string().nullable(), ids: z.array(z.string()).min(1).max(200), secrets: z.enum(IMPORTED_SECRETS) }),
    output: returns<Done>(),
  }),
  /**
   * Everything that the model would read about a tool: its description and the schema of its arguments. Null if the server currently has
   * no such tool.
   */
  describe: command({ input: z.object({ ...server, tool: z.string() }), output: returns<{ readonly text: string | null }>() }),
  /** Offers the server's tools to the model. Fails if the tools no longer match `hash`. */
  approve: command({ input: z.object({ ...server, hash: z.string().min(1) }), output: returns<Done>() }),
  /** Resources of the folder's running servers whose address or name contains the typed text. At most 8. */
  resources: command({
    input: z.object({ folder: z.string().min(1), typed: z.string().max(1000) }),
    output: returns<{ readonly resources: readonly McpResource[] }>(),
  }),
  /** Requests the text of a resource from the server, at most 30,000 characters of it. */
  resource: command({ input: z.object({ ...server, uri: z.string().min(1).max(10_000) }), output: returns<McpResourceText>() }),
  /** Starts signing in to the server. The server's state then contains the address to open. */
  signIn: command({ input: z.object(server), output: returns<Done>() }),
  cancelSignIn: command({ input: z.object(server), output: returns<Done>() }),
  /** Removes the stored sign-in. */
  signOut: command({ input: z.object(server), output: returns<Done>() }),
  /** Stores the value of a variable in the server's configuration as a secret, or removes it (null), and restarts the server. */
  setSecret: command({
    input: z.object({ ...server, variable: z.string().min(1).max(200), value: z.string().min(1).max(20_000).nullable() }),
    output: returns<Done>(),
  }),
  restart: command({ input: z.object(server), output: returns<Done>() }),
  switchTool: command({ input: z.object({ ...server, tool: z.string(), isOn: z.boolean() }), output: returns<Done>() }),
  /**
   * Restarts the server, confined to the folder or with all the user's rights. `scripts`: as they were shown. They are trusted with this
   * content, and the server does not start if one has other content by then. Null trusts no change.
   */
  setFree: command({ input: z.object({ ...server, isFree: z.boolean(), scripts: ScriptHashes.nullable() }), output: returns<Done>() }),
}
