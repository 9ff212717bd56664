import type { JsonValue } from '../../shared/session/content.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import type { Hook, HookEvent } from '../../shared/session/hooks.ts'
import type { HookMoment } from '../agent/ports/hooks.ts'
import type { ForeignCall } from './foreign-call.ts'
import { geminiEvent } from './gemini-hooks.ts'
import { ToolCallId } from '../../shared/lib/ids.ts'
import { shellSpec } from '../../shared/tools/built-in/shell.ts'

/** Claude Code's names for our modes. */
const FOREIGN_MODES: Readonly<Record<ApprovalMode, string>> = {
  plan: 'plan',
  ask: 'default',
  auto: 'auto',
  full: 'bypassPermissions',
  'accept-edits': 'acceptEdits',
}

/** The subagent for which hooks run. */
export interface HookAgent {
  readonly id: string
  readonly type: string
}

export interface InputFacts {
  /** The user's session, even for hooks of a subagent. */
  readonly sessionId: string
  readonly cwd: string
  readonly mode: ApprovalMode
  /** Path of the file with the conversation. Empty if there is no such file. */
  readonly transcript: string
  /** Null for hooks of the user's own session. */
  readonly agent: (HookAgent & { readonly transcript: string }) | null
}

/** A hook's input, with the field names of the agent that the hook was written for. `call`: the call in that agent's form. */
export function inputOf(
  { dialect }: Pick<Hook, 'dialect'>,
  moment: HookMoment,
  call: ForeignCall | null,
  { sessionId, cwd, mode, transcript, agent }: InputFacts,
): string {
  return JSON.stringify({
    session_id: sessionId,
    transcript_path: transcript,
    cwd,
    permission_mode: FOREIGN_MODES[mode],
    hook_event_name: dialect === 'gemini' ? geminiEvent(moment.event) : moment.event,
    ...(dialect === 'gemini' && { timestamp: new Date().toISOString() }),
    ...(call && { tool_name: call.toolName, tool_input: call.input }),
    ...(agent && { agent_id: agent.id, agent_type: agent.type }),
    ...(agent && moment.event === 'SubagentStop' && { agent_transcript_path: agent.transcript }),
    ...factsOf(moment),
    ...(dialect === 'gemini' && geminiFacts(moment)),
  })
}

function factsOf(moment: HookMoment): { readonly [key: string]: JsonValue } {
  switch (moment.event) {
    case 'PreToolUse':
      return { tool_use_id: moment.toolCallId }
    case 'PermissionRequest':
      return {}
    case 'PostToolUse':
      return { tool_use_id: moment.toolCallId, tool_response: moment.output }
    case 'UserPromptSubmit':
      return { prompt: moment.prompt }
    case 'Stop':
    case 'SubagentStop':
      return { stop_hook_active: moment.isContinued, last_assistant_message: moment.lastWords }
    case 'PreCompact':
      return { trigger: moment.trigger, custom_instructions: moment.instructions || null }
    case 'SessionStart':
      return { source: moment.source }
    case 'SessionEnd':
      return { reason: moment.reason }
    case 'Notification':
      return { message: moment.message, notification_type: moment.type }
  }
}

/** The fields to which Gemini gives other names. */
function geminiFacts(moment: HookMoment): { readonly [key: string]: JsonValue } {
  if (moment.event === 'PostToolUse') return { tool_response: { llmContent: moment.output, returnDisplay: moment.output } }
  return moment.event === 'Stop' ? { prompt_response: moment.lastWords } : {}
}

/** Returns an example event for trying out a hook. Calls run the command `echo hello`. */
export function exampleOf(event: HookEvent): HookMoment {
  const call = { toolCallId: ToolCallId.parse('example'), toolName: shellSpec.name, args: { command: 'echo hello' } }
  switch (event) {
    case 'PreToolUse':
    case 'PermissionRequest':
      return { event, ...call }
    case 'PostToolUse':
      return { event, ...call, output: 'hello' }
    case 'UserPromptSubmit':
      return { event, prompt: 'Say hello.' }
    case 'Stop':
    case 'SubagentStop':
      return { event, isContinued: false, lastWords: 'Hello.' }
    case 'SessionStart':
      return { event, source: 'startup' }
    case 'Notification':
      return { event, message: 'A step waits for your signature.', type: 'permission_prompt' }
    case 'SessionEnd':
      return { event, reason: 'other' }
    case 'PreCompact':
      return { event, trigger: 'auto', instructions: '' }
  }
}
