import type { FailureCause, FailureCode, ProviderFailure } from '../agent/ports/provider.ts'
import type { Trouble } from '../../shared/session/events.ts'

export interface TroubleFacts {
  readonly nowMs: number
  /** Words of an answer that broke off, which stay readable; 0: nothing had come. */
  readonly keptWords?: number
}

/** A failed request in the desk's three lines: what happened, what was kept, what to do (look §9). The code is that of the failure, or what is missing of the settings. */
export function troubleOf(failure: ProviderFailure, { nowMs, keptWords = 0 }: TroubleFacts): Trouble {
  const { code, cause, message, retryAfterMs } = failure
  const again = retryAfterMs === null ? null : timeOf(nowMs + retryAfterMs, nowMs)
  return {
    code: cause === 'no_key' || cause === 'base_url' ? cause : code,
    what: again === null ? message : `${message} It takes the next request at ${again}.`,
    kept: kept(keptWords),
    todo: again === null ? todo(code, cause) : `Go on after ${again}, or with another model.`,
  }
}

function kept(words: number): string {
  if (words === 0) return 'Your message and everything done so far. Nothing was half done.'
  return `Everything that arrived, ${words} ${words === 1 ? 'word' : 'words'}, and everything done before. No step of this answer was carried out.`
}

function todo(code: FailureCode, cause: FailureCause | undefined): string {
  const byCause = cause && BY_CAUSE[cause]
  return byCause ?? BY_CODE[code]
}

const BY_CAUSE: Readonly<Record<FailureCause, string>> = {
  no_key: 'Add a key in Settings, then go on. Or rehearse without one.',
  base_url: 'Correct the address in Settings, then go on.',
  dns: 'Check the network connection and the address in Settings, then go on.',
  refused: 'Start the server, or correct its address in Settings, then go on.',
  unreachable: 'Check the network connection, a VPN or a firewall, then go on.',
  tls: 'Check the date of this computer, and whether a company’s proxy needs its own certificate (NODE_EXTRA_CA_CERTS in the environment names its file), then go on.',
  proxy: 'Check the proxy settings (HTTPS_PROXY) and their name and password, then go on.',
  html: 'Open a web page in a browser: this network may want you to sign in first. Then go on.',
  redirect: 'Check the address in Settings, and whether this network wants you to sign in first. Then go on.',
  pictures: 'Choose a model that takes pictures, or send the message without them.',
  too_large: 'Start a new session, or go on with smaller files and outputs.',
}

const BY_CODE: Readonly<Record<FailureCode, string>> = {
  authentication: 'Enter another key in Settings, then go on.',
  access_denied: 'Choose another model, or another key that may use this one.',
  not_found: 'Choose another model, or correct the address in Settings.',
  invalid_request: 'Go on to try once more, or choose another model.',
  context_length: 'Start a new session with the part that matters.',
  rate_limit: 'Wait a little, then go on. Or go on with another model.',
  overloaded: 'Go on in a few minutes, or now with another model.',
  quota_exceeded: 'Add credit to the account, or go on with another provider.',
  server: 'Go on to ask again from here, or choose another model.',
  network: 'Check the network connection, then go on.',
  timeout: 'Go on to ask again from here.',
  idle: 'Go on to ask again from here, or choose another model.',
  cut_off: 'Go on to ask again from here.',
  malformed: 'Go on to ask again from here. Should it happen again, check the address in Settings.',
  no_object: 'Go on to ask again from here, or choose another model.',
  content_filter: 'Say it in other words, or go on with another model.',
  configuration: 'Check the provider in Settings, then go on.',
  aborted: 'Send a message to go on.',
  unknown: 'Go on to ask again from here.',
}

/** `15:02:10`, or `15:02:10 on 2026-11-22` where that is another day than now; in the time of this computer. */
function timeOf(ms: number, nowMs: number): string {
  const [date, today] = [new Date(ms), new Date(nowMs)]
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  const day = dayOf(date)
  return day === dayOf(today) ? time : `${time} on ${day}`
}

const two = (part: number): string => String(part).padStart(2, '0')

const dayOf = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
