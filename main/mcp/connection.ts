import type { JsonValue } from '../../shared/session/content.ts'
import type { SetAside } from '../../shared/session/file-change.ts'
import type { ServerEntry } from './server-entries.ts'

/** A tool as its server describes it. Nothing of it is trusted; its hints are not read. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  /** JSON Schema with an object at its root. */
  readonly schema: { readonly [key: string]: JsonValue }
}

/** A text that a server offers to its person, called by name. Nothing of it is trusted. */
export interface ListedPrompt {
  readonly name: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly isRequired: boolean }[]
}

/** Something that a server can be asked for by its address, such as a file or a page. */
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
  /** In ms; begins again with each progress report, and does not run while the person is asked. */
  readonly timeoutMs: number
  onProgress(words: string): void
  /** What the server asks the person while it works on the call. */
  ask(asked: ServerQuestion): Promise<ServerAnswer>
}

export type ServerQuestion =
  | {
      readonly kind: 'form'
      readonly message: string
      readonly fields: Readonly<Record<string, JsonValue>>
      readonly required: readonly string[]
    }
  /** The person is to do something on a page, such as signing in or paying. */
  | { readonly kind: 'page'; readonly message: string; readonly address: string }

export type ServerAnswer =
  | { readonly kind: 'given'; readonly content: FormContent }
  | { readonly kind: 'declined' }
  /** The call or the turn ended, or nobody is there. */
  | { readonly kind: 'cancelled' }

export type FormContent = Readonly<Record<string, string | number | boolean | string[]>>

/** An open connection to a server. Methods reject with an `Error` that says why. */
export interface McpConnection {
  listTools(): Promise<readonly ListedTool[]>
  call(tool: string, args: { readonly [key: string]: JsonValue }, options: CallOptions): Promise<CallResult>
  listPrompts(): Promise<readonly ListedPrompt[]>
  /** The texts of its messages. */
  prompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string>
  listResources(): Promise<readonly ListedResource[]>
  /** Its text; of other contents only their type. */
  resource(uri: string, signal: AbortSignal): Promise<string>
  close(): Promise<void>
}

/** How to start a server's program. */
export interface Launch {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly isConfined: boolean
  /** Moves control files that a confined program has made since this time (ms since 1970) out of the folder. */
  setAside(since: number): Promise<readonly SetAside[]>
  /** Called once its program has ended. */
  close(): Promise<void>
}

export interface ConnectionEvents {
  onLog(line: string): void
  /** Its tools, prompts or resources. */
  onChanged(): void
  /** The connection ended without a call of `close`. */
  onClose(): void
}

/** Opens a connection; rejects if the server does not answer in time. `target` is already expanded. */
export type Connect = (target: ConnectTarget, events: ConnectionEvents, signal: AbortSignal) => Promise<McpConnection>

export type ConnectTarget = {
  /** The folder that a server may ask for; null: it gets none, because it runs somewhere else. */
  readonly folder: string | null
} & (
  | { readonly kind: 'program'; readonly launch: Launch }
  | { readonly kind: 'address'; readonly entry: Extract<ServerEntry, { readonly url: string }>; readonly credentials: Credentials }
)

/** What signs a person in at one server: tokens, kept as provider keys are. Never part of a log, an event or an export. */
export interface Credentials {
  read(): Promise<string | null>
  /** Null removes them. Rejects with an `Error` that says why they cannot be kept. */
  write(text: string | null): Promise<void>
}

/** The values of a server's variables that the person gave as secrets, by name. Never part of a log, an event or an export. */
export interface ServerSecrets {
  read(): Promise<Readonly<Record<string, string>>>
  /** Rejects with an `Error` that says why they cannot be kept. */
  write(values: Readonly<Record<string, string>>): Promise<void>
}

/** Begins a sign-in. `finished` resolves once the credentials are kept, and rejects with an `Error` that says why they are not. */
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
