import { type ReactNode, type Ref, useId, useState } from 'react'
import type { ConnectItem } from '../../../shared/places/places-api.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Field } from '../../ui/controls/field.tsx'
import { SignButton } from '../../ui/controls/signing/sign-button.tsx'
import { byteSize } from '../../ui/format.ts'
import { ExactText } from '../../ui/text/exact-text.tsx'
import styles from './places.module.css'

type Asked<K extends ConnectItem['kind']> = Extract<ConnectItem, { kind: K }>

interface QuestionProps<K extends ConnectItem['kind']> {
  readonly name: string
  readonly item: Asked<K>
  readonly onAnswer: (text: string | null) => void
}

/** Passes on a question of `ssh` in its own words: for a password, or whether a host key is right. */
export function SshQuestion({ name, item, onAnswer }: QuestionProps<'asks'>): ReactNode {
  const [text, setText] = useState('')
  return (
    <>
      <div className={styles.body}>
        <p className="strong">ssh asks before it connects to {name}</p>
        <p className={styles.said}>
          <ExactText text={item.question.trim()} />
        </p>
        {item.isSecret ? (
          <Field
            label="Your answer"
            type="secret"
            value={text}
            onChange={setText}
            hint="It goes to ssh and is not stored."
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || text === '') return
              event.preventDefault()
              onAnswer(text)
            }}
          />
        ) : (
          <p className="soft">
            Compare it with the key that the machine’s owner gives you. Otherwise, someone in between could impersonate the machine.
          </p>
        )}
      </div>
      <footer className={styles.foot}>
        <Button variant="quiet" onPress={() => onAnswer(null)}>
          Give up
        </Button>
        {item.isSecret ? (
          <Button
            variant="preferred"
            className="push"
            disabledReason={text === '' ? 'Nothing typed yet' : null}
            onPress={() => onAnswer(text)}
          >
            Continue
          </Button>
        ) : (
          <Button className="push" onPress={() => onAnswer('yes')}>
            The key is right
          </Button>
        )}
      </footer>
    </>
  )
}

const PURPOSES = { code: 'serves files and programs to the sessions', node: 'runs it, because no Node 22 was found there' } as const
const NAMES = { code: 'Countersign’s code', node: 'Node' } as const

/** Shows what will be installed on a machine. Nothing is changed there before the user signs. */
export function InstallQuestion({
  name,
  item,
  onAnswer,
  sign,
}: QuestionProps<'asks-install'> & { readonly sign: Ref<HTMLButtonElement> }): ReactNode {
  const id = useId()
  const { found, parts } = item
  return (
    <>
      <div className={styles.body}>
        <h3 id={id}>
          <span className="strong">What is installed on {name}</span> <span className="soft">asked once for this machine and version</span>
        </h3>
        <ul className={styles.parts} aria-labelledby={id}>
          {parts.map(({ kind, folder, bytes }) => (
            <li key={folder}>
              <span>
                {NAMES[kind]}, {byteSize(bytes)}
              </span>
              <code>
                <ExactText text={folder} />
              </code>
              <span className="soft">{PURPOSES[kind]}</span>
            </li>
          ))}
        </ul>
        <dl className={styles.facts}>
          <dt>Found there</dt>
          <dd>
            <ExactText text={foundWords(found)} /> Commands run there for real, so they ask.
          </dd>
          <dt>Stays here</dt>
          <dd>Keys, requests to the model, the history, and what undo needs.</dd>
          <dt>To remove it</dt>
          <dd>
            Delete <code>~/.cache/countersign</code> on {name}.
          </dd>
        </dl>
      </div>
      <footer className={styles.foot}>
        <Button variant="quiet" onPress={() => onAnswer(null)}>
          Refuse
        </Button>
        <SignButton
          ref={sign}
          className="push"
          phase={{ kind: 'ready' }}
          keys="Mod+Enter"
          busyWord="Installing"
          onSign={() => onAnswer('install')}
        >
          Sign and install
        </SignButton>
      </footer>
    </>
  )
}

function foundWords({ system, machine, programs }: Asked<'asks-install'>['found']): string {
  const has = (program: string): string => (programs.includes(program) ? program : `no ${program}`)
  return `${system} ${machine}, ${has('git')}, ${has('bash')}.`
}
