import type { ToolCallPart } from '../../../shared/session/content.ts'
import type { CommandEffect, Effect } from '../../../shared/session/effects.ts'
import type { BlockedHost, HostOptions } from '../ports/command-copies.ts'
import type { SessionRecord } from '../record/session-record.ts'
import { midCallApprovals } from '../dispatch/mid-call-approvals.ts'
import type { DispatchParts } from '../dispatch/dispatch-parts.ts'
import { isLocalhost } from '../../../shared/lib/local-hosts.ts'

/** How long a command waits for an answer about a host, in ms. After that the host is refused, and the command continues without it. */
const ANSWER_MS = 120_000

/**
 * The effect that is judged when a command wants to reach a host. Each port of `localhost` is judged like a separate host, because a
 * different program listens on each.
 */
export function hostEffect({ host, port }: BlockedHost): Extract<Effect, { kind: 'network' }> {
  const place = `${host}:${port}`
  return isLocalhost(host) ? { kind: 'network', url: `tcp://${place}`, host: `localhost:${port}` } : { kind: 'network', url: place, host }
}

/** The host requests that one command makes while it runs in its copy. */
export interface HostRequests {
  readonly onHost: NonNullable<HostOptions['onHost']>
  /**
   * Asks whether a command that has ended may run again with access to a port of this machine. Waits for the answer without a time limit.
   */
  readonly onLocalPort: (port: number) => Promise<boolean>
  /** The hosts that have been allowed so far, as `host:port`. */
  readonly allowed: readonly string[]
  /** The local ports that were refused, as `host:port`. */
  readonly refusedPorts: readonly string[]
  /** Withdraws the open request. Call it when the command has ended. */
  close(): Promise<void>
}

/** The mode and the rules decide about each host. If neither decides, the user is asked. */
export function hostRequests(
  part: ToolCallPart,
  command: CommandEffect,
  record: SessionRecord,
  parts: DispatchParts,
  signal: AbortSignal,
): HostRequests {
  const requests = midCallApprovals(part, record, parts, signal)
  const allowed = new Set<string>()
  const refusedPorts: string[] = []
  return {
    async onLocalPort(port) {
      const place = `localhost:${port}`
      const { kind } = await requests.ask([command, { kind: 'network', url: place, host: place }], null)
      const may = kind === 'allowed' || kind === 'signed'
      if (may) allowed.add(place)
      else refusedPorts.push(place)
      return may
    },
    refusedPorts,
    async onHost({ host, port }) {
      const { kind } = await requests.ask([command, hostEffect({ host, port })], ANSWER_MS)
      const may = kind === 'allowed' || kind === 'signed'
      if (may) allowed.add(`${host}:${port}`)
      return may
    },
    get allowed() {
      return [...allowed]
    },
    close: () => requests.close(),
  }
}
