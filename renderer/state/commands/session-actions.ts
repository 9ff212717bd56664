import type { SessionFlag } from '../../../shared/api/sessions.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Desk } from '../desk.ts'
import { requestOrReport } from './attempt-request.ts'
import type { ExportFormat } from '../../../shared/api/transfer.ts'

/** Pins or archives a session if `isOn` is true, otherwise unpins or unarchives the session. */
export function flagSession(desk: Desk, sessionId: SessionId, flag: SessionFlag, isOn: boolean): void {
  requestOrReport(desk, 'The session was not changed', (client) => client.sessions.flag({ sessionId, flag, isOn }))
}

/** Asks whether to delete sessions, in a dialog that first shows how much space that frees. */
export function askToDelete(desk: Desk, sessionIds: readonly SessionId[]): void {
  desk.view.setState({ overlay: { kind: 'delete', sessionIds } })
}

/** Saves a session as one file in the browser's download folder. */
export function saveExport(desk: Desk, sessionId: SessionId, format: ExportFormat): void {
  requestOrReport(desk, 'The session was not exported', async (client) => {
    let text = ''
    for await (const item of client.transfer.export({ sessionId, format }, new AbortController().signal)) {
      if (item.kind === 'failed') return { ok: false, trouble: item.trouble }
      if (item.kind === 'piece') text += item.text
      else offer(text, item.fileName, format)
    }
    return { ok: true }
  })
}

const TYPES: Readonly<Record<ExportFormat, string>> = { markdown: 'text/markdown', html: 'text/html', json: 'application/jsonl' }

function offer(text: string, fileName: string, format: ExportFormat): void {
  const url = URL.createObjectURL(new Blob([text], { type: TYPES[format] }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The download reads the URL long before this timeout ends.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
