import type { CallItem } from '../../../shared/session/state.ts'
import { byteSize, counted, duration } from '../format.ts'
import {
  bashOutputDetails,
  globDetails,
  grepDetails,
  listDirDetails,
  runsCommand,
  shellDetails,
  wasStopped,
  timeLimitOf,
  webFetchDetails,
  webSearchDetails,
} from './call-details.ts'

/** What came of a call, in a few words; empty while it runs. */
export function outcomeOf(call: CallItem): string {
  if (call.status === 'refused') return 'refused'
  if (call.status === 'barred') return 'blocked'
  if (call.status === 'interrupted') return 'interrupted, outcome unknown'
  if (call.status === 'stopped' && call.startedAt === null) return 'not run: stopped by you'
  if (wasStopped(call)) return 'stopped by you'
  if (call.status === 'waiting') return 'waits for you'
  if (call.endedAt === null) return ''
  return (runsCommand(call) ? shellOutcome(call) : ofTool(call)) ?? (call.isError ? 'failed' : '')
}

/** Null: it says nothing of its own. */
function ofTool(call: CallItem): string | null {
  switch (call.toolName) {
    case 'grep':
      return grepOutcome(call)
    case 'glob': {
      const details = globDetails(call)
      return details && (details.total === 0 ? 'nothing found' : `${details.capped ? 'more than ' : ''}${counted(details.total, 'file')}`)
    }
    case 'list_dir': {
      const details = listDirDetails(call)
      return details && `${counted(details.entries, 'entry', 'entries')}${details.capped ? ' or more' : ''}`
    }
    case 'bash_output': {
      const details = bashOutputDetails(call)
      return details && (details.running ? 'still runs' : details.exitCode === null ? 'ended by a signal' : `exit ${details.exitCode}`)
    }
    case 'kill_shell':
      return call.isError ? null : 'ended'
    case 'web_fetch': {
      const details = webFetchDetails(call)
      return details && `${details.status}, ${byteSize(details.bytes)}`
    }
    case 'web_search': {
      const details = webSearchDetails(call)
      return details && counted(details.hits.length, 'page')
    }
    default:
      return null
  }
}

function shellOutcome(call: CallItem): string | null {
  const details = shellDetails(call)
  if (!details) return null
  if (details.background !== undefined) return 'in the background'
  if (details.timedOut) return timeLimitWords(call)
  return details.exitCode === null ? 'ended by a signal' : `exit ${details.exitCode}`
}

/** How a background command ended, as far as anybody knows: of an earlier run of the app only whether it was left running. */
export function backgroundEnd(standing: { readonly exitCode: number | null } | null, isLeft: boolean): string {
  if (standing === null) return isLeft ? 'still runs' : 'outcome unknown'
  return standing.exitCode === null ? 'ended by a signal' : `ended, exit ${standing.exitCode}`
}

/** The tone of an exit code: it is what tells success from failure; a signal may have been the person's. */
export function exitTone(exitCode: number | null): 'ok' | 'fail' | undefined {
  if (exitCode === null) return undefined
  return exitCode === 0 ? 'ok' : 'fail'
}

/** Which limit it was: it is what to change. */
function timeLimitWords(call: CallItem): string {
  const limit = timeLimitOf(call)
  return limit === null ? 'time limit reached' : `time limit of ${duration(limit)} reached`
}

function grepOutcome(call: CallItem): string | null {
  const details = grepDetails(call)
  if (!details) return null
  if (details.matches === 0) return 'nothing found'
  return `${details.matches}${details.capped ? ' or more' : ''} in ${counted(details.files, 'file')}`
}
