import { ANTHROPIC, type ScriptedFormat } from '../../../main/providers/rehearsal/scripted-format.ts'
import { chatFrames } from './chat-frames.ts'
import { geminiFrames } from './gemini-frames.ts'
import { responsesFrames } from './responses-frames.ts'

const openAiError = (_: number, type: string, words: string): object => ({ error: { message: words, type, param: null, code: type } })

/** All four wire formats. A scripted model tells them apart by the path of the request. */
export const FORMATS: readonly ScriptedFormat[] = [
  ANTHROPIC,
  { name: 'openai-responses', owns: (path) => path.endsWith('/responses'), frames: responsesFrames, error: openAiError },
  { name: 'openai-chat', owns: (path) => path.endsWith('/chat/completions'), frames: chatFrames, error: openAiError },
  {
    name: 'gemini',
    owns: (path) => path.endsWith(':streamGenerateContent?alt=sse'),
    frames: geminiFrames,
    error: (code, status, message) => ({ error: { code, message, status } }),
  },
]
