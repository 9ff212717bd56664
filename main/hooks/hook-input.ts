import type { JsonValue } from '../../shared/session/content.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import type { HookMoment } from '../agent/ports/hooks.ts'
import type { ForeignCall } from './foreign-call.ts'

/** Claude Code's names of our modes. */
const FOREIGN_MODES: Readonly<Record<ApprovalMode, string>> = {
  ...{ plan: 'plan', ask: 'default', auto: 'auto', full: 'bypassPermissions' },
  'accept-edits': 'acceptEdits',
}

export interface InputFacts {
  readonly sessionId: string
  readonly cwd: string
  readonly mode: ApprovalMode
}

/** What a hook reads, under the names that Claude Code gives it. `call`: the form of the moment's call. */
export function inputOf(moment: HookMoment, call: ForeignCall | null, { sessionId, cwd, mode }: InputFacts): string {
  return JSON.stringify({
    session_id: sessionId,
    transcript_path: '',
    cwd,
    permission_mode: FOREIGN_MODES[mode],
    hook_event_name: moment.event,
    ...(call && { tool_name: call.toolName, tool_input: call.input }),
    ...factsOf(moment),
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
      return { trigger: 'auto', custom_instructions: null }
    case 'SessionStart':
      return { source: moment.source }
    case 'SessionEnd':
      return { reason: moment.reason }
    case 'Notification':
      return { message: moment.message, notification_type: moment.type }
  }
}
