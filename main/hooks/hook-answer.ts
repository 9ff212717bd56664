import { z } from 'zod'
import { once } from '../../shared/lib/once.ts'
import type { JsonValue } from '../../shared/session/content.ts'
import type { HookEvent, HookOutcome } from '../../shared/session/hooks.ts'

/**
 * How the program of a hook ended. `exitCode` is null if the program was killed, timed out or could not be started. In these cases, `why`
 * is the reason.
 */
export interface HookEnd {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly why: string
}

/** The parsed answer of one hook. */
export interface HookSays {
  readonly outcome: HookOutcome
  readonly decision: 'deny' | 'ask' | 'allow' | null
  readonly reason: string
  readonly updatedInput: { readonly [key: string]: JsonValue } | null
  readonly context: string
  readonly stop: string | null
  /** Arguments to be merged into those of the call, as Gemini's hooks return them. */
  readonly mergedInput: { readonly [key: string]: JsonValue } | null
  /** The text that the model gets in place of a tool's result. */
  readonly updatedOutput: string | null
  /** A name for the session. Empty if the hook gives none. */
  readonly title: string
  /** Fields of the answer that have no effect here. */
  readonly ignored: readonly string[]
}

const answerSchema = once(() => {
  const input = z.record(z.string(), z.json()).optional()
  return z.looseObject({
    continue: z.boolean().optional(),
    stopReason: z.string().optional(),
    systemMessage: z.string().optional(),
    decision: z.string().optional(),
    reason: z.string().optional(),
    hookSpecificOutput: z
      .looseObject({
        permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
        permissionDecisionReason: z.string().optional(),
        updatedInput: input,
        tool_input: input,
        additionalContext: z.string().optional(),
        updatedToolOutput: z.json().optional(),
        sessionTitle: z.string().max(1_000).optional(),
        initialUserMessage: z.string().optional(),
        decision: z
          .looseObject({
            behavior: z.enum(['allow', 'deny']),
            message: z.string().optional(),
            updatedInput: input,
            interrupt: z.boolean().optional(),
            updatedPermissions: z.array(z.unknown()).optional(),
          })
          .optional(),
      })
      .optional(),
  })
})
type Answer = z.infer<ReturnType<typeof answerSchema>>

const NOTHING: HookSays = {
  outcome: 'passed',
  decision: null,
  reason: '',
  updatedInput: null,
  context: '',
  stop: null,
  mergedInput: null,
  updatedOutput: null,
  title: '',
  ignored: [],
}

/** Events whose plain output is text for the model. */
const GIVES_TEXT: ReadonlySet<HookEvent> = new Set(['UserPromptSubmit', 'SessionStart'])
/** Events for which a failed hook makes the app ask the user. */
const DECIDES: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'PermissionRequest'])
/** Events whose JSON answer may contain text for the model. */
const TAKES_CONTEXT: ReadonlySet<HookEvent> = new Set([
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'SessionStart',
])
/** Nothing waits for the hooks of these events. Of their answers, only a message to the user is used. */
const ONLY_TOLD: ReadonlySet<HookEvent> = new Set(['SessionEnd', 'Notification'])
/** Events whose hooks may name the session. */
const TAKES_TITLE: ReadonlySet<HookEvent> = new Set(['UserPromptSubmit', 'SessionStart'])
/** Events that a hook cannot block with exit code 2. */
const CANNOT_BLOCK: ReadonlySet<HookEvent> = new Set(['PermissionRequest', 'SessionStart', 'SessionEnd', 'Notification'])

/**
 * Events that a failed hook never blocks, even if `failureBlocks` is set. If a failed Stop hook blocked the end of a turn, the agent would
 * never stop.
 */
const FAILURE_PASSES: ReadonlySet<HookEvent> = new Set(['Stop', 'SubagentStop', 'SessionStart', 'SessionEnd', 'Notification'])

/**
 * Interprets the result of a hook as Claude Code does: JSON output is read at any exit code, and exit code 2 blocks. Any other failure
 * makes the app ask the user, or denies the call if `failureBlocks` is set.
 */
export function hookSays(event: HookEvent, end: HookEnd, failureBlocks = false): HookSays {
  const says = plainlySays(event, end)
  if (says.outcome !== 'failed' || !failureBlocks || FAILURE_PASSES.has(event)) return says
  return { ...says, outcome: 'blocked', decision: 'deny' }
}

/** Returns the answer for a hook that failed. If the hook ran before a tool call, the app asks the user. */
export function failedHook(event: HookEvent, why: string): HookSays {
  return { ...NOTHING, outcome: 'failed', decision: DECIDES.has(event) ? 'ask' : null, reason: `A hook failed: ${why}.` }
}

function plainlySays(event: HookEvent, end: HookEnd): HookSays {
  const text = end.stdout.trim()
  const json = text.startsWith('{') ? parsed(text) : null
  if (json === 'broken') return failedHook(event, 'it printed JSON that cannot be read')
  const said = json ? fromJson(event, json) : NOTHING
  if (end.exitCode === 2 && !CANNOT_BLOCK.has(event)) {
    const reason = end.stderr.trim() || said.reason || 'A hook blocked this without a reason.'
    return { ...said, outcome: 'blocked', decision: 'deny', reason, updatedInput: null }
  }
  if (json) return said
  if (end.exitCode === 0) return GIVES_TEXT.has(event) ? { ...NOTHING, context: text } : NOTHING
  if (end.exitCode === 2) return { ...NOTHING, outcome: 'failed', reason: end.stderr.trim() }
  return failedHook(event, end.exitCode === null ? end.why : `it ended with exit code ${end.exitCode}${tail(end.stderr)}`)
}

const tail = (stderr: string): string => (stderr.trim() === '' ? '' : `: ${stderr.trim().slice(-500)}`)

function parsed(text: string): Answer | 'broken' {
  try {
    const found = answerSchema().safeParse(JSON.parse(text))
    return found.success ? found.data : 'broken'
  } catch {
    return 'broken'
  }
}

function fromJson(event: HookEvent, answer: Answer): HookSays {
  if (ONLY_TOLD.has(event)) return { ...NOTHING, reason: answer.systemMessage ?? '' }
  const own = answer.hookSpecificOutput ?? {}
  const asked = own.decision
  const decision = decisionOf(event, answer)
  const reason = asked?.message ?? own.permissionDecisionReason ?? answer.reason ?? ''
  return {
    outcome: decision === 'deny' ? 'blocked' : decision === 'ask' ? 'asked' : decision === 'allow' ? 'allowed' : 'passed',
    decision,
    reason: reason || (decision === 'deny' ? 'A hook blocked this without a reason.' : (answer.systemMessage ?? '')),
    updatedInput: decision === 'deny' ? null : (asked?.updatedInput ?? own.updatedInput ?? null),
    mergedInput: decision === 'deny' ? null : (own.tool_input ?? null),
    context: TAKES_CONTEXT.has(event) ? (own.additionalContext ?? '') : '',
    stop: stopOf(answer, reason),
    updatedOutput: event === 'PostToolUse' ? textOfOutput(own.updatedToolOutput) : null,
    title: TAKES_TITLE.has(event) ? (own.sessionTitle ?? '').replaceAll(/\s+/gu, ' ').trim() : '',
    ignored: [
      ...(own.additionalContext === undefined || TAKES_CONTEXT.has(event) ? [] : ['additionalContext']),
      ...(own.initialUserMessage === undefined ? [] : ['initialUserMessage']),
      ...((asked?.updatedPermissions ?? []).length === 0 ? [] : ['updatedPermissions']),
    ],
  }
}

function stopOf({ continue: goesOn, stopReason, hookSpecificOutput }: Answer, reason: string): string | null {
  const isInterrupt = hookSpecificOutput?.decision?.behavior === 'deny' && hookSpecificOutput.decision.interrupt === true
  if (goesOn !== false && !isInterrupt) return null
  return stopReason ?? (reason || 'It gave no reason.')
}

const textOfOutput = (output: JsonValue | undefined): string | null =>
  output === undefined ? null : typeof output === 'string' ? output : JSON.stringify(output)

function decisionOf(event: HookEvent, { decision, hookSpecificOutput: own }: Answer): HookSays['decision'] {
  if (event === 'PermissionRequest') return own?.decision ? (own.decision.behavior === 'deny' ? 'deny' : 'allow') : null
  if (event === 'PreToolUse' && own?.permissionDecision) return own.permissionDecision === 'defer' ? 'ask' : own.permissionDecision
  if (event === 'SessionStart') return null
  if (decision === 'block' || decision === 'deny') return 'deny'
  return event === 'PreToolUse' && (decision === 'approve' || decision === 'allow') ? 'allow' : null
}
