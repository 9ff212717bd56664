import { type ReactNode, useId, useState } from 'react'
import type { ConflictChoice, ConflictLines } from '../../../shared/lib/lines/line-conflict.ts'
import { Kbd } from '../marks/kbd.tsx'
import styles from './conflict-sides.module.css'

/** The sides of one conflict, next to each other if there is room. `count`: their number. */
export function Sides({ children, count = 3 }: { readonly children: ReactNode; readonly count?: 2 | 3 }): ReactNode {
  return (
    <div className={styles.sides} data-count={count}>
      {children}
    </div>
  )
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
  /** A choice of the lines of both sides, and its words. If absent, it is not offered. */
  readonly both?: { readonly words: string; readonly text: string }
  /** Initial text of the user's own version. If absent, the user cannot write one. */
  readonly own?: string
  /** Whether the keys 1 to 3 choose here. If so, they are shown. */
  readonly hasKeys?: boolean
  readonly onChoose: (choice: ConflictChoice) => void
}

/** Lets the user choose one side of the conflict or write other lines. */
export function Choices({ name, choice, now, before, both, own, hasKeys = false, onChoose }: ChoicesProps): ReactNode {
  const group = useId()
  const [text, setText] = useState(own ?? '')
  const [isWriting, setWriting] = useState(false)
  const chosenText = typeof choice === 'object' && choice !== null ? choice.text : null
  const isBoth = both !== undefined && chosenText === both.text && !isWriting
  const isOwn = chosenText !== null && !isBoth
  const choose = (next: ConflictChoice, writes = false): void => {
    setWriting(writes)
    onChoose(next)
  }
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.legend}>{name}</legend>
      <label>
        <input type="radio" name={group} checked={choice === 'now'} onChange={() => choose('now')} /> {now} {hasKeys && <Kbd keys="1" />}
      </label>
      <label>
        <input type="radio" name={group} checked={choice === 'before'} onChange={() => choose('before')} /> {before}{' '}
        {hasKeys && <Kbd keys="2" />}
      </label>
      {both !== undefined && (
        <label>
          <input type="radio" name={group} checked={isBoth} onChange={() => choose({ text: both.text })} /> {both.words}
        </label>
      )}
      {own !== undefined && (
        <label>
          <input type="radio" name={group} checked={isOwn} data-write="" onChange={() => choose({ text }, true)} /> Write it yourself{' '}
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
            choose({ text: value }, true)
          }}
        />
      )}
    </fieldset>
  )
}
