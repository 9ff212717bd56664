import { EFFORTS } from '../../../shared/session/settings/model-facts.ts'
import { z } from 'zod'
import { parseArguments } from '../../../main/agent/answer/parse-arguments.ts'
import { type BuiltRequest, buildRequest } from '../offline/build-request.ts'
import { type DecodedStream, decodeStream } from '../offline/decode-stream.ts'
import { historySchema } from '../offline/given-history.ts'

const provider = z.enum(['openai-responses', 'openai-chat', 'anthropic', 'gemini'])

export const decodeArguments = z.strictObject({
  provider,
  /** The bytes of the body, in chunks as they arrived. */
  chunksB64: z.array(z.base64()),
  status: z.number().int().min(100).max(599).default(200),
  headers: z.record(z.string(), z.string()).default({}),
  end: z.enum(['clean', 'cut']).default('clean'),
})

export const buildArguments = z.strictObject({
  provider,
  history: historySchema,
  tools: z
    .array(
      z.object({
        name: z.string(),
        description: z.string().default(''),
        parameters: z.record(z.string(), z.json()).default({ type: 'object' }),
      }),
    )
    .default([]),
  options: z.object({
    model: z.string(),
    system: z.string().optional(),
    effort: z.enum(EFFORTS).nullable().optional(),
    baseUrl: z.string().optional(),
  }),
})

/** Decodes a recorded response. The arguments of calls are parsed the same way as in the agent. */
export function decode({ chunksB64, ...response }: z.infer<typeof decodeArguments>): Promise<DecodedStream> {
  return decodeStream({ ...response, chunks: chunksB64.map((chunk) => Buffer.from(chunk, 'base64')) }, parseArguments)
}

export function build({ options, ...asked }: z.infer<typeof buildArguments>): Promise<BuiltRequest> {
  const { model, system, effort, baseUrl } = options
  return buildRequest({
    ...asked,
    options: {
      model,
      ...(system !== undefined && { system }),
      ...(effort !== undefined && { effort }),
      ...(baseUrl !== undefined && { baseUrl }),
    },
  })
}
