import { Fragment, type ReactNode, useId } from 'react'
import { NO_ANSWER, type Question, type QuestionAnswer, withOption } from '../../../../shared/workflow/question.ts'
import { Field } from '../../../ui/controls/field.tsx'
import { ExactText } from '../../../ui/text/exact-text.tsx'
import styles from './question.module.css'

export interface QuestionFieldsProps {
  readonly questions: readonly Question[]
  /** One answer per question. */
  readonly answers: readonly QuestionAnswer[]
  /** Whether the user may answer in their own words even if a question has options. */
  readonly mayWriteOwn: boolean
  readonly onChange: (at: number, answer: QuestionAnswer) => void
}

/** Each question with its options and a field for the user's own words. */
export function QuestionFields({ questions, answers, mayWriteOwn, onChange }: QuestionFieldsProps): ReactNode {
  return questions.map((question, at) => (
    <OneQuestion
      key={question.question}
      question={question}
      answer={answers[at] ?? NO_ANSWER}
      mayWriteOwn={mayWriteOwn}
      onChange={(answer) => onChange(at, answer)}
    />
  ))
}

interface OneQuestionProps {
  readonly question: Question
  readonly answer: QuestionAnswer
  readonly mayWriteOwn: boolean
  readonly onChange: (answer: QuestionAnswer) => void
}

function OneQuestion({ question, answer, mayWriteOwn, onChange }: OneQuestionProps): ReactNode {
  const id = useId()
  const { options = [], multiSelect = false } = question
  return (
    <fieldset className={styles.question}>
      <legend className={styles.words}>
        <ExactText text={question.question} />
      </legend>
      {options.map(({ label, description }, at) => (
        <div key={label} className={styles.option} data-chosen={answer.chosen.includes(label) || undefined}>
          <span className="number" aria-hidden>
            {at + 1}
          </span>
          <input
            type={multiSelect ? 'checkbox' : 'radio'}
            id={`${id}-${at}`}
            name={id}
            className={styles.mark}
            checked={answer.chosen.includes(label)}
            onChange={() => onChange(withOption(question, answer, label))}
          />
          <label htmlFor={`${id}-${at}`} className={styles.label}>
            <ExactText text={label} />
            {description !== undefined && (
              <Fragment>
                {' '}
                <span className={styles.description}>
                  <ExactText text={description} />
                </span>
              </Fragment>
            )}
          </label>
        </div>
      ))}
      {(mayWriteOwn || options.length === 0) && (
        <Field
          className={styles.own}
          label={options.length === 0 ? 'Your answer' : 'Or answer in your own words'}
          labelShown
          value={answer.text}
          onChange={(text) => onChange({ chosen: multiSelect || text === '' ? answer.chosen : [], text })}
        />
      )}
    </fieldset>
  )
}
