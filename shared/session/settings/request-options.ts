import { z } from 'zod'

/** Accepts names in snake case too (`auto_cache`, `beta_headers`). */
function camelCased(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      member as unknown,
    ]),
  )
}

/** The user's additions to the requests of one provider. */
// The schema is lazy, because few users have such additions, and settings are read at every launch.
const OneProvider = z.lazy(() =>
  z.preprocess(
    camelCased,
    z.strictObject({
      /** Values of `anthropic-beta`. */
      betaHeaders: z
        .array(z.string().regex(/^[\w.-]{1,100}$/))
        .max(20)
        .readonly()
        .optional(),
      /** If `false`, requests contain no cache markers. */
      autoCache: z.boolean().optional(),
      /** Gemini's `safetySettings`, in the format of Gemini's API. */
      safetySettings: z.array(z.record(z.string(), z.string())).max(20).readonly().optional(),
      /** Whether Gemini's answers may use Google Search. */
      grounding: z.boolean().optional(),
      /** Members that are added to the request's JSON, or that replace Countersign's own members, in the API's own format. */
      body: z
        .record(z.string().regex(/^(?!(messages|input|contents|model|stream|tools)$)\w{1,100}$/), z.json())
        .readonly()
        .optional(),
      headers: z
        .record(
          z.string().regex(/^(?!(authorization|x-api-key|x-goog-api-key|host|content-\w+|cookie)$)[a-z0-9-]{1,100}$/),
          z.string().max(2000),
        )
        .readonly()
        .optional(),
    }),
  ),
)
export type RequestOptions = Readonly<z.infer<typeof OneProvider>>

export const RequestOptionsByProvider = z.lazy(() =>
  z.partialRecord(z.enum(['anthropic', 'openai', 'gemini', 'openai-compatible']), OneProvider).readonly(),
)
export type RequestOptionsByProvider = z.infer<typeof RequestOptionsByProvider>
