import { z } from 'zod'
import { Effort, Mode } from '../../shared/api/setting-fields.ts'
import { SessionConfig as SharedConfig } from '../../shared/session/settings/session-config.ts'
import { SANDBOX_USES, type SandboxUse } from '../compose/sandbox-use.ts'
import { nodeMajor, NODE_MAJOR } from '../bootstrap/system-requirements.mjs'
import { AgentError, badOption } from './agent-error.ts'
import type { ApprovalHandler } from './agent-interface.ts'
import type { HostEnvironment } from './environments/environment-types.ts'
import type { ApprovalPolicy, SessionConfig } from './session-config.ts'
import type { RegisteredTool } from './tools/tool-types.ts'

/** Options of `createAgent`. Only `provider` and a folder (`cwd`, `workingDirectory` or an environment) are required. */
export interface AgentOptions extends Partial<SessionConfig> {
  readonly provider: string
  /** The project folder. Passing a folder means that the agent may read the instructions in it. */
  readonly cwd?: string
  /** The key. Default: from the provider's variable, such as `ANTHROPIC_API_KEY`. It is kept only in memory. */
  readonly apiKey?: string
  /** An address used instead of the provider's default address. */
  readonly baseUrl?: string
  /** Tools in addition to the built-in tools. A tool with the name of a built-in tool replaces that tool. */
  readonly tools?: ReadonlyArray<RegisteredTool>
  /** Default: `ask`. */
  readonly policy?: ApprovalPolicy
  /** Answers requests for a signature. If left out, the requests wait for `session.answer`. */
  readonly onApproval?: ApprovalHandler
  /** Where the agent's tools work. Default: this machine. */
  readonly environment?: HostEnvironment
  /** How much a session including its subagents may use. Checked before each request. Default: no limit. */
  readonly budget?: { readonly tokens?: number; readonly costUsd?: number }
  /** If false, repeated calls neither end a turn nor cause a warning. */
  readonly enableLoopDetection?: boolean
  /** Percent of the context window at which the conversation is compacted. Default: 92. 0 means never. */
  readonly compactAt?: number
  /** Whether commands run in copies of the folder, and subagents that write in layers. Default: `auto`, where this machine can. */
  readonly sandbox?: SandboxUse
  /** Variables that commands get although they look like secrets. `*` matches any characters. */
  readonly allowVariables?: ReadonlyArray<string>
  /** Where sessions are stored. Default: a temporary folder, removed by `agent.close()`. */
  readonly dataFolder?: string
}

const isFunction = (value: unknown): boolean => typeof value === 'function'
const text = z.string().trim().min(1)

const options = z.strictObject({
  ...SharedConfig.shape,
  model: text.optional(),
  provider: text,
  cwd: text.optional(),
  workingDirectory: text.optional(),
  reasoningEffort: Effort.unwrap().optional(),
  apiKey: text.optional(),
  baseUrl: text.optional(),
  dataFolder: text.optional(),
  policy: Mode.optional(),
  budget: z.strictObject({ tokens: z.int().min(1).optional(), costUsd: z.number().positive().optional() }).optional(),
  enableLoopDetection: z.boolean().optional(),
  compactAt: z.number().min(0).max(100).optional(),
  sandbox: z.enum(SANDBOX_USES).optional(),
  allowVariables: z.array(text).optional(),
  tools: z.array(z.unknown()).optional(),
  onApproval: z.custom(isFunction, 'it must be a function').optional(),
  environment: z.looseObject({ workingDirectory: z.custom(isFunction, 'it must be a function') }).optional(),
})

/** Checks the options and returns the folder. Throws an `AgentError` that says what is wrong. */
export function checkedFolder(given: AgentOptions): string {
  mustRunHere()
  const parsed = options.safeParse(given)
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    throw badOption(
      `The options of createAgent are wrong. ${wrong.join('; ')}.`,
      'Correct the options; docs/agent-api.md lists all of them.',
    )
  }
  const { cwd, workingDirectory, environment } = given
  const folder = cwd ?? workingDirectory ?? environment?.workingDirectory()
  if (folder === undefined) throw badOption('createAgent got no folder.', 'Give the project folder as cwd.')
  return folder
}

/** The SQLite module crashes older versions of Node without a message. */
function mustRunHere(): void {
  if (nodeMajor(process.versions.node) >= NODE_MAJOR) return
  throw new AgentError({
    code: 'node_too_old',
    what: `countersign/agent needs Node ${NODE_MAJOR} or newer; this is ${process.version}.`,
    kept: 'Nothing was started.',
    todo: `Start your program with Node ${NODE_MAJOR}.`,
  })
}
