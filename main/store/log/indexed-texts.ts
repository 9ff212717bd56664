import type { FoundIn } from '../../../shared/api/history.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import type { FileChange } from '../../../shared/session/file-change.ts'
import { typedIn } from '../../../shared/session/said.ts'
import { runsCommand } from '../../../shared/tools/catalogue.ts'
import { exitPlanModeSpec } from '../../../shared/tools/exit-plan-mode.ts'

export interface IndexedText {
  readonly foundIn: FoundIn
  readonly text: string
  /** From the folder; null: it is about no file. */
  readonly path: string | null
}

/** Characters of one text that can be found; the rest of a long output or diff is left out. */
const MAX_CHARS = 40_000

/** What can be found of an event; empty: nothing. `changedLines`: the lines that a change adds and removes, without the others. */
export function indexedTexts(event: DurableEvent, changedLines: (file: FileChange) => readonly string[]): readonly IndexedText[] {
  switch (event.kind) {
    case 'USER_INPUT':
      return textOf('you', typedIn(event))
    case 'STEERING_INJECTED':
      return event.by === 'person' ? textOf('you', typedIn(event)) : []
    case 'ASSISTANT_TURN':
      return textOf('answer', event.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n'))
    case 'TOOL_CALL_START':
      if (runsCommand(event)) return textOf('run', event.args?.['command'])
      return event.toolName === exitPlanModeSpec.name ? textOf('plan', event.args?.['plan']) : []
    case 'TOOL_CALL_END':
      return textOf('output', event.output)
    case 'FILES_CHANGED':
      return event.files.flatMap((file) => textOf('diff', [file.shown, ...changedLines(file)].join('\n'), file.shown))
    default:
      return []
  }
}

function textOf(foundIn: FoundIn, text: JsonValue | undefined, path: string | null = null): readonly IndexedText[] {
  return typeof text === 'string' && text.trim() !== '' ? [{ foundIn, text: text.slice(0, MAX_CHARS), path }] : []
}
