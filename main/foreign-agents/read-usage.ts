import { NO_USAGE, type Usage } from '../../shared/session/content.ts'
import { countOr, type Fields } from '../providers/answer/untyped-fields.ts'
import { newerUsage } from '../providers/openai-compatible/chat-usage.ts'

/** Maximum number of characters that are kept of an answer, from its end, to search for token counts. A report of them is far shorter. */
const KEPT_CHARS = 16_000

/**
 * Reads the token counts in the bytes of an HTTP answer, in the formats of Anthropic, OpenAI and Gemini, streamed or not. `onTokens` gets the
 * tokens that were added since the last report. Finds nothing in a compressed answer.
 */
export function createUsageReader(onTokens: (more: Usage) => void): (bytes: Uint8Array) => void {
  let text = ''
  let before = NO_USAGE
  return (bytes) => {
    text = (text + Buffer.from(bytes).toString('latin1')).slice(-KEPT_CHARS).replaceAll(CHUNK_BORDER, '')
    let end = 0
    for (const { index, 0: name } of text.matchAll(NAMES)) {
      const report = wholeObject(text, index + name.length - 1)
      if (report === null) continue
      end = report.end
      const now = usageAfter(before, report.fields)
      if (now === before) continue
      onTokens(added(before, now))
      before = now
    }
    text = text.slice(end)
  }
}

/** The border between two chunks of a chunked answer. */
const CHUNK_BORDER = /\r\n[0-9a-fA-F]{1,8}\r\n/gu

const NAMES = /"(?:usage|usageMetadata)"\s*:\s*\{/gu

/** The JSON object that begins at this position. Null if it is incomplete or is not valid JSON. */
function wholeObject(text: string, begin: number): { readonly fields: Fields; readonly end: number } | null {
  let depth = 0
  for (let at = begin; at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] !== '}' || --depth > 0) continue
    try {
      return { fields: JSON.parse(text.slice(begin, at + 1)) as Fields, end: at + 1 }
    } catch {
      return null
    }
  }
  return null
}

function usageAfter(before: Usage, fields: Fields): Usage {
  if ('promptTokenCount' in fields || 'totalTokenCount' in fields) return geminiUsage(before, fields)
  const cacheRead = countOr(fields['cache_read_input_tokens'], 0)
  const cacheWrite = countOr(fields['cache_creation_input_tokens'], 0)
  const input = countOr(fields['input_tokens'], 0)
  // Anthropic does not include these in the input.
  return newerUsage(before, cacheRead + cacheWrite > 0 && input > 0 ? { ...fields, input_tokens: input + cacheRead + cacheWrite } : fields)
}

function geminiUsage(before: Usage, fields: Fields): Usage {
  const cacheRead = countOr(fields['cachedContentTokenCount'], before.cacheRead)
  const prompt = countOr(fields['promptTokenCount'], before.input + before.cacheRead)
  const reasoning = countOr(fields['thoughtsTokenCount'], before.reasoning)
  const written = countOr(fields['candidatesTokenCount'], before.output - before.reasoning)
  return { ...NO_USAGE, input: Math.max(0, prompt - cacheRead), output: written + reasoning, cacheRead, reasoning }
}

function added(before: Usage, now: Usage): Usage {
  const more = (name: 'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'reasoning'): number => Math.max(0, now[name] - before[name])
  return {
    input: more('input'),
    output: more('output'),
    cacheRead: more('cacheRead'),
    cacheWrite: more('cacheWrite'),
    reasoning: more('reasoning'),
  }
}
