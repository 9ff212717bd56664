import type { ReactNode } from 'react'
import { type GitChange, type GitCommit, type GitFile, gitSentences, shortHash } from '../../../shared/session/git-change.ts'
import { ExactText, foreign } from '../text/exact-text.tsx'
import styles from './git-change-view.module.css'

/** What a command did to a repository: new commits with their files, moved branches, what is staged. */
export function GitChangeView({ change }: { readonly change: GitChange }): ReactNode {
  const { commits, more, lost, staged, unstaged } = change
  return (
    <div className={styles.git}>
      {gitSentences(change).map((sentence) => (
        <p key={sentence}>{foreign(sentence)}</p>
      ))}
      {commits.map((commit) => (
        <Commit key={commit.hash} commit={commit} />
      ))}
      {more && <p>More commits than are listed.</p>}
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
      {staged.length > 0 && <Files title="Staged for the next commit:" files={staged} />}
      {unstaged.length > 0 && <Files title="No longer staged:" files={unstaged} />}
    </div>
  )
}

function Commit({ commit: { hash, subject, author, files } }: { readonly commit: GitCommit }): ReactNode {
  return (
    <>
      <p>
        Commit <span className={styles.hash}>{shortHash(hash)}</span> <b>{foreign(subject)}</b>
        <span className={styles.author}> {foreign(author)}</span>
      </p>
      {files === null ? <p className={styles.author}>Its files are too many to be listed.</p> : <FileList files={files} />}
    </>
  )
}

function Files({ title, files }: { readonly title: string; readonly files: readonly GitFile[] }): ReactNode {
  return (
    <>
      <p>{title}</p>
      <FileList files={files} />
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

/** Files of a list that are shown; a first commit may have thousands. */
const MOST_SHOWN = 50

function FileList({ files }: { readonly files: readonly GitFile[] }): ReactNode {
  const rest = files.length - MOST_SHOWN
  return (
    <ul>
      {files.slice(0, MOST_SHOWN).map(({ status, path, from }) => (
        <li key={`${status} ${path}`}>
          <span className="path">
            <ExactText text={path} />
          </span>
          <span className={styles.author}>
            {WORDS.has(status) && ` ${WORDS.get(status)}`}
            {from !== undefined && (
              <>
                {' from '}
                <ExactText text={from} />
              </>
            )}
          </span>
        </li>
      ))}
      {rest > 0 && <li className={styles.author}>{`and ${rest} more`}</li>}
    </ul>
  )
}
