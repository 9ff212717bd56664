/** The message that is sent: the typed text, then each pasted text in full. A closing `pasted_text` tag in a pasted text is escaped. */
export function withPastedTexts(typed: string, texts: readonly string[]): string {
  const framed = texts.map((text) => `<pasted_text>\n${text.replaceAll(/<\/(?=\s*pasted_text\b)/gi, '<\\/')}\n</pasted_text>`)
  return [typed, ...framed].filter((part) => part !== '').join('\n\n')
}

export interface MessageParts {
  /** What was typed. Empty if the message consists of pasted texts only. */
  readonly typed: string
  readonly texts: readonly string[]
}

const PASTED = /(?<![^\n])<pasted_text>\n([\s\S]*?)\n<\/pasted_text>(?:\n\n|$)/gu

/** Separates the typed text of a message from the texts that `withPastedTexts` has added to it. */
export function messageParts(message: string): MessageParts {
  const texts = [...message.matchAll(PASTED)].map(([, text = '']) => text.replaceAll(/<\\\/(?=\s*pasted_text\b)/gi, '</'))
  return { typed: texts.length === 0 ? message : message.replaceAll(PASTED, '').trimEnd(), texts }
}
