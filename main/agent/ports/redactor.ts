/** Removes known secrets from tool output. */
export interface Redactor {
  /** The text with a marker in place of every known secret. */
  text(text: string): string
  /** Whether `after` has more markers than `before`, so that a file would lose a secret to one. False if `before` holds no known secret. */
  losesSecret(before: string, after: string): boolean
  /** For output that arrives in pieces; secrets are found across them, and across colors inside them. `emit` gets all bytes in order, within milliseconds. */
  stream(emit: (bytes: Buffer) => void): RedactedStream
}

export interface RedactedStream {
  write(bytes: Buffer): void
  /** Call once at the end. Emits what was held back, with a marker in place of a secret that stops short. */
  end(): void
}
