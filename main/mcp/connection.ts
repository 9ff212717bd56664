import type { JsonValue } from '../../shared/session/content.ts'
import type { OpenedProgram } from '../agent/ports/opened-program.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import type { SetAside } from '../../shared/session/file-change.ts'
import type { ServerEntry } from './server-entries.ts'

/** A tool as its server describes it. None of this is trusted, and the hints are not read. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  /** JSON Schema with an object at its root. */
  readonly schema: { readonly [key: string]: JsonValue }
}

/** Text that a server offers to the user, who calls it by name. None of this is trusted. */
export interface ListedPrompt {
  readonly name: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly isRequired: boolean }[]
}

/** A file, page or similar that a server offers to clients under an address. */
export interface ListedResource {
  readonly uri: string
  readonly name: string
  readonly description: string
}

export type CallContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mediaType: string; readonly data: string }

export interface CallResult {
  readonly content: readonly CallContent[]
  readonly structured: JsonValue
  readonly isError: boolean
}

export interface CallOptions {
  readonly signal: AbortSignal
  /** Time limit in ms. The time starts again with each progress report, and does not run while the user is asked. */
  readonly timeoutMs: number
  onProgress(words: string): void
  /** Asks the user a question that the server sent while it works on the call. */
  ask(asked: ServerQuestion): Promise<ServerAnswer>
}

export type ServerQuestion =
  | {
      readonly kind: 'form'
      readonly message: string
      readonly fields: Readonly<Record<string, JsonValue>>
      readonly required: readonly string[]
    }
  /** The user must do something on a web page, such as signing in or paying. */
  | { readonly kind: 'page'; readonly message: string; readonly address: string }

export type ServerAnswer =
  | { readonly kind: 'given'; readonly content: FormContent }
  | { readonly kind: 'declined' }
  /** The call or the turn ended before the user answered, or nobody can answer. */
  | { readonly kind: 'cancelled' }

export type FormContent = Readonly<Record<string, string | number | boolean | string[]>>

/** An open connection to a server. A method that fails rejects with an `Error` whose message gives the reason. */
export interface McpConnection {
  listTools(): Promise<readonly ListedTool[]>
  call(tool: string, args: { readonly [key: string]: JsonValue }, options: CallOptions): Promise<CallResult>
  listPrompts(): Promise<readonly ListedPrompt[]>
  /** Resolves to the texts of the prompt's messages. */
  prompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string>
  listResources(): Promise<readonly ListedResource[]>
  /** Resolves to the text of the resource. For content that is not text, resolves to its type only. */
  resource(uri: string, signal: AbortSignal): Promise<string>
  close(): Promise<void>
}

/** How to start a server's program. */
export interface Launch {
  /** Starts the program. Rejects with an `Error` that says why it could not be started. */
  open(): Promise<OpenedProgram>
  readonly isConfined: boolean
  /** Moves control files out of the folder if a confined program has created them since this time (ms since 1970). */
  setAside(since: number): Promise<readonly SetAside[]>
  /** If the app is killed before the returned object is disposed, the next launch of the app does what `setAside` would have done. */
  suspect(since: number): Disposable
  /** Called once after the server's program has ended. */
  close(): Promise<void>
}

export interface ConnectionEvents {
  onLog(line: string): void
  /** The server's tools, prompts or resources have changed. */
  onChanged(): void
  /** The connection ended without a call of `close`. */
  onClose(): void
}

/** Opens a connection. Rejects if the server does not answer in time. The variables in `target` are already expanded. */
export type Connect = (target: ConnectTarget, events: ConnectionEvents, signal: AbortSignal) => Promise<McpConnection>

export type ConnectTarget = {
  /** The folder that a server can request; null if it gets no folder because it runs on another machine. */
  readonly folder: string | null
} & (
  | { readonly kind: 'program'; readonly launch: Launch }
  | { readonly kind: 'address'; readonly entry: Extract<ServerEntry, { readonly url: string }>; readonly credentials: Credentials }
)

/**
 * The credentials for one server: tokens, stored in the same way as provider keys. They are never part of a log, an event or an export.
 */
export interface Credentials {
  read(): Promise<string | null>
  /** Null removes the credentials. Rejects if they cannot be stored, with an `Error` whose message gives the reason. */
  write(text: string | null): Promise<void>
}

/**
 * The values of a server's variables that the user entered as secrets, by name. They are never part of a log, an event or an export.
 */
export interface ServerSecrets {
  read(): Promise<Readonly<Record<string, string>>>
  /** Rejects if the values cannot be stored, with an `Error` whose message gives the reason. */
  write(values: Readonly<Record<string, string>>): Promise<void>
}

/**
 * Begins a sign-in. `finished` resolves when the credentials are stored. Otherwise, it rejects with an `Error` whose message gives the
 * reason.
 */
export type StartSignIn = (
  entry: Extract<ServerEntry, { readonly url: string }>,
  credentials: Credentials,
  signal: AbortSignal,
) => Promise<{ readonly address: string; readonly finished: Promise<void> }>

/** The server requires a sign-in, and there are no credentials that it accepts. */
export class SignInNeeded extends Error {
  constructor() {
    super('The server wants you to sign in.')
    this.name = 'SignInNeeded'
  }
}

/** The server does not know this connection any more, for example because it has restarted. It has refused the request. */
export class SessionLost extends Error {
  constructor() {
    super('The server does not know this connection any more.')
    this.name = 'SessionLost'
  }
}
