import type { HookMoment } from '../agent/ports/hooks.ts'
import type { HookEvent } from '../../shared/session/hooks.ts'
import { ToolCallId } from '../../shared/lib/ids.ts'
import { shellSpec } from '../../shared/tools/shell.ts'

/** An example of an event, to try a hook out: calls are of the command `echo hello`. */
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
