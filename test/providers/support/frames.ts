/** Returns a frame of an event stream that contains only data, as Chat Completions and Gemini send it. */
export const dataFrame = (event: object): string => `data: ${JSON.stringify(event)}\n\n`

/** Returns a frame that also contains the type of its event, as Anthropic and OpenAI's Responses send it. */
export const namedFrame = (event: { readonly type: string; readonly [name: string]: unknown }): string =>
  `event: ${event.type}\n${dataFrame(event)}`
