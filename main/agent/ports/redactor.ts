/** Removes known secrets from tool output. */
export interface Redactor {
  /** Returns the text with a marker in place of every known secret. */
  text(text: string): string
  /**
   * Whether `after` has more markers than `before`, so that a secret in a file would be replaced by a marker. False if `before` contains
   * no known secret.
   */
  losesSecret(before: string, after: string): boolean
  /**
   * For output that arrives in pieces. Secrets are found even if they are split between pieces or contain color codes. `emit` gets all
   * bytes in order, within milliseconds. The bytes are valid only during the call.
   */
  stream(emit: (bytes: Buffer) => void): RedactedStream
}

export interface RedactedStream {
  write(bytes: Buffer): void
  /** Call once at the end. Emits what was held back, with a marker in place of an incomplete secret. */
  end(): void
}
