import type { AnyEnvelope } from '../../../shared/session/events.ts'

/** Shows a session's events to whoever started us: JSON lines to programs, plain lines to people. */
export interface Progress {
  show(envelope: AnyEnvelope): void
  /** Nothing more comes: what is written ends with its line. */
  end(): void
}
