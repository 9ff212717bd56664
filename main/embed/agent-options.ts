import { z } from 'zod'
import { Effort, Mode } from '../../shared/api/config-names.ts'
import { SessionConfig as ToldConfig } from '../../shared/session/settings/session-config.ts'
import { nodeMajor, NODE_MAJOR } from '../bootstrap/requirements.mjs'
import { AgentError, badOption } from './agent-error.ts'
import type { ApprovalHandler } from './agent-types.ts'
import type { HostEnvironment } from './environments/environment-types.ts'
import type { ApprovalPolicy, SessionConfig } from './session-config.ts'
import type { RegisteredTool } from './tools/tool-types.ts'

/** What an agent is made of. Only `provider` and a folder (`cwd`, `workingDirectory` or an environment) are needed. */
export interface AgentOptions extends Partial<SessionConfig> {
  readonly provider: string
  /** The folder to work in. Naming it is trust enough to read its documents. */
  readonly cwd?: string
  /** Left out: from the provider's variable, such as `ANTHROPIC_API_KEY`. It is kept in memory only. */
  readonly apiKey?: string
  /** Another address of the provider. */
  readonly baseUrl?: string
  /** Beside the built-in ones; one with the name of a built-in one takes its place. */
  readonly tools?: ReadonlyArray<RegisteredTool>
  /** Left out: `ask`. */
  readonly policy?: ApprovalPolicy
  /** Answers requests for a signature. Left out: they wait for `session.answer`. */
  readonly onApproval?: ApprovalHandler
  /** Left out: this machine. */
  readonly environment?: HostEnvironment
  /** What a session may use up, its subagents included; asked before each request. Left out: no limit. */
  readonly budget?: { readonly tokens?: number; readonly costUsd?: number }
  /** False: repeated calls end no turn and are not warned of. */
  readonly enableLoopDetection?: boolean
  /** Percent of the context window at which the conversation is compacted (92); 0: never. */
  readonly compactAt?: number
  /** Variables that commands get although their names look like those of secrets; `*` stands for any characters. */
  readonly allowVariables?: ReadonlyArray<string>
  /** Where sessions are kept. Left out: a temporary folder, removed by `agent.close()`. */
  readonly dataFolder?: string
}

const isFunction = (value: unknown): boolean => typeof value === 'function'
const text = z.string().trim().min(1)

const options = z.strictObject({
  ...ToldConfig.shape,
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
  allowVariables: z.array(text).optional(),
  tools: z.array(z.unknown()).optional(),
  onApproval: z.custom(isFunction, 'it must be a function').optional(),
  environment: z.looseObject({ workingDirectory: z.custom(isFunction, 'it must be a function') }).optional(),
})

/** The folder of checked options. Throws an `AgentError` that names what is wrong with them. */
export function checkedFolder(given: AgentOptions): string {
  mustRunHere()
  const parsed = options.safeParse(given)
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    throw badOption(`The options of createAgent are wrong. ${wrong.join('; ')}.`, 'Mend them; docs/agent-api.md lists all.')
  }
  const { cwd, workingDirectory, environment } = given
  const folder = cwd ?? workingDirectory ?? environment?.workingDirectory()
  if (folder === undefined) throw badOption('createAgent was not told a folder.', 'Give the project folder as cwd.')
  return folder
}

/** Older ones crash on the SQLite module without a word. */
function mustRunHere(): void {
  if (nodeMajor(process.versions.node) >= NODE_MAJOR) return
  throw new AgentError({
    code: 'node_too_old',
    what: `countersign/agent needs Node ${NODE_MAJOR} or newer; this is ${process.version}.`,
    kept: 'Nothing was started.',
    todo: `Start your program with Node ${NODE_MAJOR}.`,
  })
}
