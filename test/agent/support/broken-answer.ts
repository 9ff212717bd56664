import { anthropicFrames } from '../../../main/providers/rehearsal/anthropic-frames.ts'
import type { ScriptedAnswer, ScriptedMessage, Stop } from '../../../main/providers/rehearsal/scripted-answer.ts'
import { stream } from '../../support/scripted-model.ts'

/** Returns an answer whose stream pauses or breaks off right after its first delta of this kind. */
export function brokenAfter(answer: ScriptedMessage, delta: 'text_delta' | 'input_json_delta', next: Stop['next']): ScriptedAnswer {
  const frames = anthropicFrames(answer, 'claude-haiku-4-5', 'broken')
  const first = frames.findIndex((frame) => frame.includes(`"${delta}"`))
  const at = Buffer.byteLength(frames.slice(0, first + 1).join(''))
  return stream(frames.join(''), { stops: [{ at, next }] })
}
