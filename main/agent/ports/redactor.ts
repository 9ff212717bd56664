/** Takes known secrets out of whatever a tool gives back. */
export interface Redactor {
  /** The text, with a marker in the place of every known secret. */
  text(text: string): string
  /** Whether `after` has a marker more often than `before`: a file would lose a secret to it. False where `before` holds no known secret. */
  losesSecret(before: string, after: string): boolean
  /** For output that arrives in pieces; a secret is found across them. `emit` gets all bytes in order, within milliseconds. */
  stream(emit: (bytes: Buffer) => void): RedactedStream
}

export interface RedactedStream {
  write(bytes: Buffer): void
  /** Call once, when nothing more comes: hands over what was held back. */
  end(): void
}
