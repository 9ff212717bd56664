import { type ReactNode, useState } from 'react'
import { type GitChange, type GitCommit, type GitFile, gitSentences, shortHash } from '../../../shared/session/git-change.ts'
import { Button } from '../controls/button.tsx'
import { ExactText, foreign } from '../text/exact-text.tsx'
import styles from './git-change-view.module.css'

/** Renders the difference of a file whose bytes are stored. */
export type DiffOf = (file: GitFile & Required<Pick<GitFile, 'stored'>>) => ReactNode

/** What a command did to a repository: new commits with their files, moved branches, what is staged. */
export function GitChangeView({ change, diffOf }: { readonly change: GitChange; readonly diffOf: DiffOf }): ReactNode {
  const { commits, more, lost, staged, unstaged } = change
  return (
    <div className={styles.git}>
      {gitSentences(change).map((sentence) => (
        <p key={sentence}>{foreign(sentence)}</p>
      ))}
      {commits.map((commit) => (
        <Commit key={commit.hash} commit={commit} diffOf={diffOf} />
      ))}
      {more && <p>Not all commits are listed.</p>}
      {lost.length > 0 && (
        <>
          <p>No longer on any branch or tag:</p>
          <ul>
            {lost.map(({ hash, subject }) => (
              <li key={hash}>
                <span className={styles.hash}>{shortHash(hash)}</span> {foreign(subject)}
              </li>
            ))}
          </ul>
        </>
      )}
      {staged.length > 0 && <Files title="Staged for the next commit:" files={staged} diffOf={diffOf} />}
      {unstaged.length > 0 && <Files title="No longer staged:" files={unstaged} diffOf={diffOf} />}
    </div>
  )
}

function Commit({ commit: { hash, subject, author, files }, diffOf }: { readonly commit: GitCommit; readonly diffOf: DiffOf }): ReactNode {
  return (
    <>
      <p>
        Commit <span className={styles.hash}>{shortHash(hash)}</span> <b>{foreign(subject)}</b>
        <span className="soft"> {foreign(author)}</span>
      </p>
      {files === null ? <p className="soft">The commit has too many files to be listed.</p> : <FileList files={files} diffOf={diffOf} />}
    </>
  )
}

interface FileListProps {
  readonly files: readonly GitFile[]
  readonly diffOf: DiffOf
}

function Files({ title, ...list }: FileListProps & { readonly title: string }): ReactNode {
  return (
    <>
      <p>{title}</p>
      <FileList {...list} />
    </>
  )
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['A', 'new'],
  ['D', 'deleted'],
  ['R', 'renamed'],
  ['C', 'copied'],
  ['T', 'another kind of file'],
  ['U', 'in conflict'],
])

/** Maximum number of files shown in a list. A first commit may have thousands. */
const MAX_SHOWN = 50

function FileList({ files, diffOf }: FileListProps): ReactNode {
  const rest = files.length - MAX_SHOWN
  return (
    <ul>
      {files.slice(0, MAX_SHOWN).map((file) => (
        <li key={`${file.status} ${file.path}`}>
          <FileLine file={file} diffOf={diffOf} />
        </li>
      ))}
      {rest > 0 && <li className="soft">{`and ${rest} more`}</li>}
    </ul>
  )
}

/** A path with git's word for the change. Its difference unfolds below it. */
function FileLine({ file, diffOf }: { readonly file: GitFile; readonly diffOf: DiffOf }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const { status, path, from, stored } = file
  return (
    <>
      <span className="path">
        <ExactText text={path} />
      </span>
      <span className="soft">
        {WORDS.has(status) && ` ${WORDS.get(status)}`}
        {from !== undefined && (
          <>
            {' from '}
            <ExactText text={from} />
          </>
        )}
      </span>
      {stored && (
        <>
          {' '}
          <Button
            small
            variant="quiet"
            expanded={isOpen}
            label={`${isOpen ? 'Hide' : 'Show'} the changes to ${path}`}
            onPress={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide' : 'Show'}
          </Button>
          {isOpen && diffOf({ ...file, stored })}
        </>
      )}
    </>
  )
}
