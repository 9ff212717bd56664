import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { ContentPart, JsonValue } from '../../../shared/session/content.ts'
import type { AssistantTurn, ToolResultsTurn, Turn } from '../../../shared/session/conversation-turns.ts'
import type { ModelRequest } from '../../agent/ports/provider.ts'
import type { BodyFormat, Target } from '../body/body-format.ts'
import { OPENING, type TurnBlocks } from '../body/request-messages.ts'
import { withAcceptedSchema } from '../body/accepted-tool-schema.ts'
import { type UserForms, userBlocks } from '../body/user-blocks.ts'
import { argumentsJson, jsonText, wellFormedJson, wireId, wireName } from '../body/wire-text.ts'
import { generation, NOT_SIGNED_BY_GEMINI, thinkingConfig } from './gemini-model-traits.ts'
import { geminiSchema } from './gemini-schema.ts'

/** Prefix of generated ids; Gemini's own never have it. */
const OWN = 'gemini_'

/**
 * Writes requests for Gemini's `streamGenerateContent`, with the roles `user` and `model`, and with results as objects that contain the
 * name of their function.
 */
export const geminiBody: BodyFormat = {
  provider: 'gemini',
  turnBlocks,
  message: (role, blocks) => `{"role":"${role === 'assistant' ? 'model' : 'user'}","parts":[${blocks}]}`,
  head: headJson,
  opening: `{"text":${jsonText(OPENING)}}`,
  tail: ']}',
}

/**
 * Leaves out the tools if an answer schema is requested from a model before generation 3, because the service rejects a request with both.
 */
function headJson({ model, system, tools: given, effort, answerShape }: ModelRequest): string {
  const tools = answerShape && generation(model) < 3 ? [] : given
  const members = [
    ...(system.trim() === '' ? [] : [`"systemInstruction":{"parts":[{"text":${jsonText(system)}}]}`]),
    ...(tools.length === 0 ? [] : [`"tools":[{"functionDeclarations":${JSON.stringify(tools.map(declaration))}}]`]),
    ...generationConfig(thinkingConfig(model, effort), answerShape),
  ]
  return `{${members.map((member) => `${member},`).join('')}"contents":[`
}

function generationConfig(thinking: object | null, shape: ModelRequest['answerShape']): readonly string[] {
  const config = {
    ...(thinking ? { thinkingConfig: thinking } : {}),
    ...(shape ? { responseMimeType: 'application/json', responseJsonSchema: shape.schema } : {}),
  }
  return thinking || shape ? [`"generationConfig":${JSON.stringify(config)}`] : []
}

function declaration(tool: ModelRequest['tools'][number]) {
  const { name, description, parameters } = withAcceptedSchema(tool)
  return { name, description, parametersJsonSchema: geminiSchema(parameters) }
}

function turnBlocks(turn: Turn, target: Target): TurnBlocks {
  switch (turn.kind) {
    case 'user':
    case 'steering':
      return { role: 'user', blocks: userBlocks(turn.content, USER) }
    case 'system':
      return { role: 'user', blocks: textBlocks(`<system>\n${turn.content}\n</system>`) }
    case 'assistant':
      return { role: 'assistant', blocks: assistantBlocks(turn, target) }
    case 'tool_results':
      return { role: 'user', blocks: resultBlocks(turn.results, generation(target.model) >= 3) }
    default:
      return assertNever(turn, 'turn')
  }
}

const USER: UserForms = {
  text: textBlocks,
  image: ({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } }),
  imageAt: (url) => ({ fileData: { mimeType: typeByName(url), fileUri: url } }),
}

/** The service needs a media type for each picture's URL. PNG is assumed if the file name does not show the type. */
function typeByName(url: string): string {
  const ending = /\.(png|jpe?g|gif|webp|heic|heif)$/i.exec(URL.parse(url)?.pathname ?? '')?.[1]?.toLowerCase() ?? 'png'
  return `image/${ending === 'jpg' ? 'jpeg' : ending}`
}

function textBlocks(text: string): readonly string[] {
  return text.trim() === '' ? [] : [`{"text":${jsonText(text)}}`]
}

function assistantBlocks({ content, provider, model }: AssistantTurn, target: Target): readonly string[] {
  const own = provider === target.provider && model === target.model
  const firstCall = content.findIndex(({ kind }) => kind === 'tool_call')
  return content.flatMap((part, index) => partBlocks(part, own, index === firstCall && generation(target.model) >= 3))
}

function partBlocks(part: ContentPart, own: boolean, mustBeSigned: boolean): readonly string[] {
  switch (part.kind) {
    case 'text': {
      const signature = own ? part.signature : undefined
      if (signature === undefined) return textBlocks(part.text)
      return [`{"text":${JSON.stringify(part.text)},"thoughtSignature":${JSON.stringify(signature)}}`]
    }
    case 'thinking':
      if (!own || part.signature === null) return []
      return [`{"text":${JSON.stringify(part.text)},"thought":true,"thoughtSignature":${JSON.stringify(part.signature)}}`]
    case 'opaque':
      return own ? [JSON.stringify(part.data)] : []
    case 'tool_call': {
      const call = [
        ...idMember(part.toolCallId),
        `"name":${JSON.stringify(wireName(part.toolName))}`,
        `"args":${argumentsJson(part.argsText)}`,
      ]
      const signature = own ? part.signature : mustBeSigned ? NOT_SIGNED_BY_GEMINI : undefined
      const signed = signature === undefined ? '' : `,"thoughtSignature":${JSON.stringify(signature)}`
      return [`{"functionCall":{${call.join(',')}}${signed}}`]
    }
    default:
      return assertNever(part, 'part')
  }
}

function idMember(toolCallId: string): readonly string[] {
  const id = givenId(toolCallId)
  return id === null ? [] : [`"id":${JSON.stringify(wireId(id))}`]
}

type Result = ToolResultsTurn['results'][number]

/**
 * Returns the blocks of tool results. Pictures and documents are put into the result, or after all results if the model does not accept
 * them inside a result.
 */
function resultBlocks(results: readonly Result[], withParts: boolean): readonly string[] {
  const seen = results.map(seenParts)
  const blocks = results.map((result, index) => resultBlock(result, withParts ? (seen[index] ?? []) : []))
  return withParts ? blocks : [...blocks, ...seen.flat().map((part) => JSON.stringify(part))]
}

function resultBlock({ toolCallId, toolName, output, isError }: Result, parts: readonly JsonValue[]): string {
  const words = typeof output === 'string' ? output : output.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n')
  const response = wellFormedJson(isError ? { error: words } : { output: words })
  const members = [...idMember(toolCallId), `"name":${JSON.stringify(wireName(toolName))}`, `"response":${response}`]
  return `{"functionResponse":{${[...members, ...(parts.length > 0 ? [`"parts":${JSON.stringify(parts)}`] : [])].join(',')}}}`
}

function seenParts({ output }: Result): readonly JsonValue[] {
  if (typeof output === 'string') return []
  return output.flatMap((part) => (part.kind === 'text' ? [] : [{ inlineData: { mimeType: part.mediaType, data: part.data } }]))
}

/** An id for a call without one, from the answer's id and the call's index. */
export function ownId(answerId: string | null, index: number): string {
  return `${OWN}${(answerId ?? 'call').slice(-150)}_${index}`
}

/** The service's own id. Null if we assigned the id; calls and results are then matched by order. */
function givenId(id: string): string | null {
  return id.startsWith(OWN) ? null : id
}
