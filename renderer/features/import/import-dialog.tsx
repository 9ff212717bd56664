import { type ReactNode, useState } from 'react'
import { type ImportPreview, SOURCE_NAMES } from '../../../shared/api/transfer.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { showSession } from '../../state/commands/actions.ts'
import { attemptRequest } from '../../state/commands/attempt-request.ts'
import { useDesk } from '../../state/desk-context.ts'
import { FoundTranscripts } from './found-transcripts.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Field } from '../../ui/controls/field.tsx'
import { calendarDay, clockTime, counted } from '../../ui/format.ts'
import { Dialog } from '../../ui/frame/dialogs/overlay.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { Facts } from '../../ui/notices/facts.tsx'

/** Imports a session from a file. First shows what the file contains. */
export function ImportDialog(): ReactNode {
  const desk = useDesk()
  const [path, setPath] = useState('')
  const [preview, setPreview] = useState<ImportPreview | null>(null)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [isBusy, setBusy] = useState(false)
  const close = (): void => desk.view.setState(({ overlay }) => ({ overlay: overlay?.kind === 'import' ? null : overlay }))
  const change = (typed: string): void => {
    setPath(typed)
    setPreview(null)
    setTrouble(null)
  }
  const run = async (what: string, work: Parameters<typeof attemptRequest>[2]): Promise<void> => {
    setBusy(true)
    setTrouble(await attemptRequest(desk, what, work))
    setBusy(false)
  }
  const look = (): Promise<void> =>
    run('The file was not read', async (client) => {
      const found = await client.transfer.preview({ path })
      if (found.ok) setPreview(found.preview)
      return found
    })
  const bring = (): Promise<void> =>
    run('Nothing was imported', async (client) => {
      const made = await client.transfer.import({ path })
      if (!made.ok) return made
      close()
      showSession(desk, made.sessionId)
      return made
    })
  const next = (): Promise<void> => (preview ? bring() : look())
  return (
    <Dialog
      label="Import a session"
      onClose={close}
      buttons={
        <>
          <Button onPress={close}>Cancel</Button>
          <Button
            variant="preferred"
            busy={isBusy}
            busyWord={preview ? 'Importing' : 'Reading'}
            disabledReason={path.trim() === '' ? 'Choose a session or type a path first' : null}
            onPress={() => void next()}
          >
            {preview ? 'Import' : 'Preview'}
          </Button>
        </>
      }
    >
      <h2 className="doc-title">Import a session</h2>
      <p className="soft">A transcript of Claude Code or Codex, or a JSON export from Countersign. Nothing in it runs.</p>
      <FoundTranscripts chosen={path} onChoose={change} />
      <Field
        label="Another file on this computer"
        labelShown
        mono
        whileEmpty="~/.claude/projects/…/….jsonl"
        value={path}
        onChange={change}
        busy={isBusy}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && path.trim() !== '' && !isBusy) void next()
        }}
      />
      {preview && <Facts facts={factsOf(preview)} />}
      {trouble && <ErrorNotice happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
    </Dialog>
  )
}

const date = (at: number): string => `${calendarDay(at)} ${clockTime(at)}`

function factsOf(preview: ImportPreview): readonly { readonly term: string; readonly fact: string }[] {
  const { source, title, folder, model, startedAt, endedAt, messages, answers, calls, subagents, unknown, leftOut } = preview
  return [
    { term: 'From', fact: SOURCE_NAMES[source] },
    { term: 'Title', fact: title || 'None' },
    { term: 'Folder', fact: folder || 'Unknown' },
    { term: 'Model', fact: model || 'Unknown' },
    { term: 'Time', fact: `${date(startedAt)} to ${date(endedAt)}` },
    { term: 'Holds', fact: [counted(messages, 'message'), counted(answers, 'answer'), counted(calls, 'call')].join(', ') },
    ...(subagents > 0 ? [{ term: 'Subagents', fact: String(subagents) }] : []),
    ...(unknown > 0 ? [{ term: 'Not understood', fact: `${counted(unknown, 'line')}, kept and shown` }] : []),
    ...leftOut.map(({ why, lines }) => ({ term: 'Left out', fact: `${why}: ${lines}` })),
  ]
}
