import { Fragment, type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import type { FolderFacts, LoadedKind } from '../../../shared/api/workspace.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { newSession } from '../../state/commands/actions.ts'
import { attemptRequest } from '../../state/commands/attempt-request.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FileTextsDiff } from '../../ui/diff/file-texts-diff.tsx'
import { Overlay } from '../../ui/frame/dialogs/overlay.tsx'
import { Pane, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { ExactText } from '../../ui/text/exact-text.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import styles from './trust.module.css'

/**
 * Asks for trust in a dialog. Closing the dialog without an answer records no decision. If `opens` is true, a yes starts a session in the
 * folder.
 */
export function TrustDialog({ facts, opens }: { readonly facts: FolderFacts; readonly opens: boolean }): ReactNode {
  const desk = useDesk()
  const close = (): void => desk.view.setState(({ overlay }) => ({ overlay: overlay?.kind === 'trust' ? null : overlay }))
  return (
    <Overlay label="Do you trust this folder?" onClose={close} className={styles.dialog}>
      <TrustQuestion facts={facts} opens={opens} onAnswered={close} />
    </Overlay>
  )
}

export interface TrustPageProps {
  readonly facts: FolderFacts
  /** Errors to show. */
  readonly notices: ReactNode
  /** Help for a newcomer. Null for everyone else. */
  readonly below: ReactNode
}

/** The trust question as a page, for the folder from the command line. */
export function TrustPage({ facts, notices, below }: TrustPageProps): ReactNode {
  const desk = useDesk()
  return (
    <Pane kind="work" label="Do you trust this folder?">
      <PaneScroll label="Do you trust this folder?">
        <section className={styles.page}>
          <TrustQuestion facts={facts} isPage onAnswered={() => desk.view.setState({ opening: null })} />
        </section>
        {notices}
        {below !== null && <div className={styles.below}>{below}</div>}
      </PaneScroll>
    </Pane>
  )
}

interface TrustQuestionProps {
  readonly facts: FolderFacts
  readonly isPage?: boolean
  readonly opens?: boolean
  readonly onAnswered: () => void
}

/**
 * The trust question: what opening the folder would load, and two answers. It is asked before anything in the folder is read, and again
 * when configuration that can start programs has changed.
 */
function TrustQuestion({ facts, isPage = false, opens = true, onAnswered }: TrustQuestionProps): ReactNode {
  const desk = useDesk()
  const home = useStore(desk.app, ({ hello }) => hello?.home ?? '')
  const wide = broadFolderWarning(facts.folder, home)
  const [answering, setAnswering] = useState<'yes' | 'no' | null>(null)
  const [trouble, setTrouble] = useState<Trouble | null>(null)

  const answer = async (trusted: boolean): Promise<void> => {
    if (answering) return
    setAnswering(trusted ? 'yes' : 'no')
    const failed = await attemptRequest(desk, 'Your answer was not saved', (client) => {
      return client.workspace.trust({ folder: facts.folder, trusted, configuration: facts.configuration })
    })
    const next = failed ?? (trusted && opens ? await newSession(desk, facts.folder) : null)
    setTrouble(next)
    setAnswering(null)
    if (next) return
    onAnswered()
    if (!trusted) desk.notice.setState({ trouble: notOpened(facts) })
  }
  const Title = isPage ? 'h1' : 'h2'
  const isChanged = facts.trust === 'changed'
  return (
    <>
      <div className={styles.body}>
        <Title className="doc-title">{isChanged ? `Do you still trust ${facts.name}?` : `Do you trust ${facts.name}?`}</Title>
        <p className={styles.path}>
          <ExactText text={facts.folder} />
        </p>
        <p className="soft">
          {facts.trust === 'no' ? 'You answered no before. ' : ''}
          {isChanged
            ? 'The folder’s configuration, which can start programs on your computer, has changed since you trusted the folder. None of it was loaded.'
            : 'The agent will read its files, and their content can influence it. Nothing in the folder has been read yet.'}
        </p>
        {wide !== null && (
          <p className="strong">
            {wide} The agent could read every file in it, including keys and private files. Give each project a folder of its own.
          </p>
        )}
        <Changed changes={facts.changed} rank={isPage ? 2 : 3} />
        <Loads files={facts.wouldLoad} rank={isPage ? 2 : 3} />
        {trouble && <ErrorNotice happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
      </div>
      <footer className={styles.foot}>
        <p className="meta">
          Instructions in subfolders are read when the agent works there. You are asked again only if hooks, servers, rules, settings or
          skills of this folder change.
        </p>
        <Button busy={answering === 'no'} busyWord="Saving" onPress={() => void answer(false)}>
          Do not trust it
        </Button>
        <Button busy={answering === 'yes'} busyWord={opens ? 'Opening' : 'Saving'} onPress={() => void answer(true)}>
          {opens ? 'Trust and open' : 'Trust it'}
        </Button>
      </footer>
    </>
  )
}

/** What changed in the configuration since the folder was trusted. */
function Changed({ changes, rank }: { readonly changes: FolderFacts['changed']; readonly rank: 2 | 3 }): ReactNode {
  if (changes.length === 0) return null
  const Title = rank === 2 ? 'h2' : 'h3'
  return (
    <section aria-label="Changed since you trusted it">
      <Title className="label">Changed since you trusted it</Title>
      {changes.map(({ path, before, after }) => (
        <div key={path} className={styles.change}>
          <p className="path">
            <ExactText text={path} /> <span className="meta">{before === null ? 'new' : after === null ? 'deleted' : 'changed'}</span>
          </p>
          <FileTextsDiff file={{ path, shown: path, before, after }} />
        </div>
      ))}
    </section>
  )
}

/** The label of each kind of loaded file, and whether it can start programs. */
const KINDS: Readonly<Record<LoadedKind, { readonly label: string; readonly runs: boolean }>> = {
  instructions: { label: 'Instructions for the agent', runs: false },
  memory: { label: 'Notes from earlier sessions', runs: false },
  agents: { label: 'Kinds of subagents', runs: false },
  skills: { label: 'Skills', runs: true },
  commands: { label: 'Commands', runs: true },
  settings: { label: 'Settings', runs: true },
  rules: { label: 'Rules about what may run', runs: true },
  hooks: { label: 'Hooks', runs: true },
  servers: { label: 'MCP servers', runs: true },
}

function Loads({ files, rank }: { readonly files: FolderFacts['wouldLoad']; readonly rank: 2 | 3 }): ReactNode {
  if (files.length === 0)
    return <p className="soft">Opening this folder loads nothing: it has no instructions, settings, hooks or servers.</p>
  const Title = rank === 2 ? 'h2' : 'h3'
  const byKind = Map.groupBy(files, ({ kind }) => kind)
  const kinds = (Object.keys(KINDS) as LoadedKind[]).filter((kind) => byKind.has(kind))
  return (
    <section>
      <Title className="label">Opening it would load</Title>
      <dl className={styles.loads}>
        {kinds.map((kind) => (
          <Fragment key={kind}>
            <dt>
              {KINDS[kind].label}
              {KINDS[kind].runs && <span className="meta"> can start programs</span>}
            </dt>
            {byKind.get(kind)?.map(({ path }) => (
              <dd key={path} className="path">
                <ExactText text={path} />
              </dd>
            ))}
          </Fragment>
        ))}
      </dl>
    </section>
  )
}

function notOpened({ name, folder }: FolderFacts): Trouble {
  return {
    code: 'not_trusted',
    what: `${name} was not opened, because you do not trust it.`,
    kept: `Your answer for ${folder} is saved. Nothing in the folder was read or run.`,
    todo: 'To change your answer, open the folder again.',
  }
}

/**
 * A warning if a folder is much more than a project: the complete disk, the home folder, or a folder that contains the home folder. Null
 * otherwise.
 */
export function broadFolderWarning(folder: string, home: string): string | null {
  const path = plain(folder)
  if (path === '' || /^[A-Za-z]:$/.test(path)) return 'This is the whole disk.'
  if (home === '') return null
  if (path === plain(home)) return 'This is your whole home folder.'
  return plain(home).startsWith(`${path}/`) ? 'This folder contains your whole home folder.' : null
}

/** Returns the path with `/` as the only separator and without a separator at the end. */
function plain(path: string): string {
  return path.replaceAll('\\', '/').replace(/\/+$/, '')
}
