import { type ReactNode, useId, useState } from 'react'
import type { ConflictChoice, ConflictLines } from '../../../shared/lib/lines/line-conflict.ts'
import { Kbd } from '../marks/kbd.tsx'
import styles from './conflict-sides.module.css'

/** The sides of one conflict, next to each other if there is room. */
export function Sides({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={styles.sides}>{children}</div>
}

interface SideProps {
  readonly title: string
  readonly about: string
  readonly text: ConflictLines
  readonly kind?: 'add' | 'del'
}

/** One side of a conflict, with its line numbers. */
export function Side({ title, about, text: { line, lines }, kind }: SideProps): ReactNode {
  return (
    <div className={styles.side}>
      <h3 className={styles.heading}>
        {title} <span className="meta">{about}</span>
      </h3>
      <pre className={styles.code} data-kind={kind}>
        {lines.length === 0 ? (
          <span className="meta">No lines</span>
        ) : (
          lines.map((text, index) => (
            <span key={line + index} className={styles.line} data-number={line + index}>
              {text}
            </span>
          ))
        )}
      </pre>
    </div>
  )
}

interface ChoicesProps {
  readonly name: string
  readonly choice: ConflictChoice | null
  readonly now: string
  readonly before: string
  /** Initial text of the user's own version. If absent, the user cannot write one. */
  readonly own?: string
  /** Whether the keys 1 to 3 choose here. If so, they are shown. */
  readonly hasKeys?: boolean
  readonly onChoose: (choice: ConflictChoice) => void
}

/** Lets the user choose one side of the conflict or write other lines. */
export function Choices({ name, choice, now, before, own, hasKeys = false, onChoose }: ChoicesProps): ReactNode {
  const group = useId()
  const [text, setText] = useState(own ?? '')
  const isOwn = typeof choice === 'object' && choice !== null
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.legend}>{name}</legend>
      <label>
        <input type="radio" name={group} checked={choice === 'now'} onChange={() => onChoose('now')} /> {now} {hasKeys && <Kbd keys="1" />}
      </label>
      <label>
        <input type="radio" name={group} checked={choice === 'before'} onChange={() => onChoose('before')} /> {before}{' '}
        {hasKeys && <Kbd keys="2" />}
      </label>
      {own !== undefined && (
        <label>
          <input type="radio" name={group} checked={isOwn} data-write="" onChange={() => onChoose({ text })} /> Write it yourself{' '}
          {hasKeys && <Kbd keys="3" />}
        </label>
      )}
      {isOwn && (
        <textarea
          className={styles.own}
          aria-label="Your lines"
          rows={Math.min(12, text.split('\n').length + 1)}
          value={text}
          onChange={({ target: { value } }) => {
            setText(value)
            onChoose({ text: value })
          }}
        />
      )}
    </fieldset>
  )
}
