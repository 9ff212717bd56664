import { type ReactNode, useEffect } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { ErrorBoundary } from '../../../ui/notices/error-boundary.tsx'
import { MiddlePath } from '../../../ui/text/middle-path.tsx'
import styles from './completion.module.css'
import type { Completion } from './use-completion.ts'

interface CompletionListProps {
  readonly completion: Completion
}

/** The options above the message field. The focus stays in the field, and `aria-activedescendant` names the active option. */
export function CompletionList({ completion }: CompletionListProps): ReactNode {
  if (completion.options.length === 0 && completion.none === null) return null
  return (
    <ErrorBoundary what="The list of completions">
      <OpenList completion={completion} />
    </ErrorBoundary>
  )
}

function OpenList({ completion }: CompletionListProps): ReactNode {
  const { id, options, active, none, setActive, take } = completion
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  return (
    <div className={styles.anchor}>
      <div className={styles.sheet}>
        <ul id={`${id}-list`} role="listbox" aria-label="Completions" tabIndex={0} className={styles.list} hidden={options.length === 0}>
          {options.map((option, at) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- focus and keys stay in the field
            <li
              key={option.id}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === active}
              className={classNames(styles.option, at === active && styles.active)}
              onPointerMove={() => setActive(at)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(option)}
            >
              {option.about === '' ? (
                <MiddlePath path={option.words} className={classNames('path', styles.path)} />
              ) : (
                <>
                  <span className={styles.words}>{option.words}</span>
                  <span className={styles.about}>{option.about}</span>
                  {option.origin !== '' && <span className="meta">{option.origin}</span>}
                </>
              )}
            </li>
          ))}
        </ul>
        {none !== null && (
          <p className={styles.none} role="status">
            {none}
          </p>
        )}
      </div>
    </div>
  )
}
