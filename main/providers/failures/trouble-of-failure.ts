import type { FailureCause, FailureCode, ProviderFailure } from '../../agent/ports/provider.ts'
import type { Trouble } from '../../../shared/session/events.ts'

export interface TroubleFacts {
  readonly nowMs: number
  /** Number of words that had arrived of an answer that broke off; the user can still read them. 0 if none had arrived. */
  readonly keptWords?: number
}

/**
 * Describes a failed request to the user: what happened, what was kept, what to do. The code is that of the failure, or names the missing
 * setting.
 */
export function troubleOf(failure: ProviderFailure, { nowMs, keptWords = 0 }: TroubleFacts): Trouble {
  const { code, cause, message, retryAfterMs } = failure
  const again = retryAfterMs === null ? null : timeOf(nowMs + retryAfterMs, nowMs)
  return {
    code: cause === 'no_key' || cause === 'base_url' ? cause : code,
    what: again === null ? message : `${message} You can try again at ${again}.`,
    kept: kept(keptWords),
    todo: again === null ? todo(code, cause) : `Resume after ${again}, or choose another model.`,
  }
}

function kept(words: number): string {
  if (words === 0) return 'Your message and everything done so far are kept.'
  return `The ${words === 1 ? 'word' : `${words} words`} that arrived and everything done before are kept. No step of this answer was run.`
}

function todo(code: FailureCode, cause: FailureCause | undefined): string {
  const byCause = cause && BY_CAUSE[cause]
  return byCause ?? BY_CODE[code]
}

const BY_CAUSE: Readonly<Record<FailureCause, string>> = {
  no_key: 'Add a key in Settings, then resume. Or start a rehearsal, which needs no key.',
  base_url: 'Correct the address in Settings, then resume.',
  dns: 'Check the network connection and the address in Settings, then resume.',
  refused: 'Start the server, or correct its address in Settings, then resume.',
  unreachable: 'Check the network connection, a VPN or a firewall, then resume.',
  tls: 'Check the date of this computer, and whether a company’s proxy needs its own certificate (NODE_EXTRA_CA_CERTS in the environment names its file), then resume.',
  proxy: 'Check the proxy settings (HTTPS_PROXY) and their name and password, then resume.',
  html: 'Open a web page in a browser: this network may want you to sign in first. Then resume.',
  redirect: 'Check the address in Settings, and whether this network wants you to sign in first. Then resume.',
  pictures: 'Choose a model that accepts pictures, or send the message without them.',
  too_large: 'Start a new session, or continue with smaller files and outputs.',
}

const BY_CODE: Readonly<Record<FailureCode, string>> = {
  authentication: 'Enter another key in Settings, then resume.',
  access_denied: 'Choose another model, or a key that may use this model.',
  not_found: 'Choose another model, or correct the address in Settings.',
  invalid_request: 'Resume to try once more, or choose another model.',
  context_length: 'Start a new session with only the part of the conversation that matters.',
  rate_limit: 'Wait a little and then resume, or continue with another model.',
  overloaded: 'Resume in a few minutes, or choose another model.',
  quota_exceeded: 'Wait until the quota is renewed, add credit to the account, or choose another provider.',
  server: 'Resume to try again, or choose another model.',
  network: 'Check the network connection, then resume.',
  timeout: 'Resume to try again.',
  idle: 'Resume to try again, or choose another model.',
  cut_off: 'Resume to try again.',
  malformed: 'Resume to try again. If it happens again, check the address in Settings.',
  no_object: 'Resume to try again, or choose another model.',
  content_filter: 'Rephrase the message, or choose another model.',
  configuration: 'Check the provider in Settings, then resume.',
  aborted: 'Send a message, or resume.',
  unknown: 'Resume to try again.',
}

/** For example `15:02:10`, or `15:02:10 on 2026-11-22` if the day is not today. In local time. */
function timeOf(ms: number, nowMs: number): string {
  const date = new Date(ms)
  const today = new Date(nowMs)
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  const day = dayOf(date)
  return day === dayOf(today) ? time : `${time} on ${day}`
}

const two = (part: number): string => String(part).padStart(2, '0')

const dayOf = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
