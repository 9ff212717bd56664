import { Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ProjectRules, Rule } from '../../../../shared/api/rules.ts'
import { nameOf } from '../../../state/stores/session-list.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Field } from '../../../ui/controls/field.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { calendarDay, clockTime, counted } from '../../../ui/format.ts'
import { ErrorNotice } from '../../../ui/notices/error-notice.tsx'
import { VisuallyHidden } from '../../../ui/notices/screen-reader.tsx'
import styles from '../settings.module.css'
import { SettingSection } from '../setting-section.tsx'
import { SECTIONS } from '../../../ui/settings-sections.ts'
import own from './rules.module.css'
import { RuleForm } from './rule-form.tsx'
import { RuleImport } from './rule-import.tsx'
import { SavedRuleBackTest } from './back-test.tsx'
import { ANSWERS, type ChangeRules, useRules } from './use-rules.ts'

/** The user's rules: what is allowed without approval, what needs approval, and what is never allowed. */
export function RulesSection(): ReactNode {
  const { state, trouble, change } = useRules()
  const wrong = state?.trouble ?? trouble
  return (
    <SettingSection
      section={SECTIONS.rules}
      lede="What may happen without asking. Deny overrides ask, and ask overrides allow. Control files and places outside the project always need your signature."
    >
      {wrong && <ErrorNotice framed happened={wrong.what} kept={wrong.kept} todo={wrong.todo} />}
      {state !== null && state.rules.length > 0 && <SearchedRules rules={state.rules} change={change} />}
      {state?.rules.length === 0 && (
        <p className="soft">You have no rules. Without them, the mode of a session determines what needs your signature.</p>
      )}
      {state?.projects.map((project) => (
        <ProjectRulesPart key={project.folder} project={project} />
      ))}
      <RuleForm change={change} />
      <RuleImport change={change} />
    </SettingSection>
  )
}

/**
 * The rules in a project's own file. They are edited in that file and apply once the user has trusted the folder with these rules in it.
 */
function ProjectRulesPart({ project: { folder, rules, ignored, unusable } }: { readonly project: ProjectRules }): ReactNode {
  const file = `${folder}/.countersign/rules.json`
  if (unusable !== null)
    return (
      <ErrorNotice
        framed
        happened={`The rules in ${file} cannot be used: ${unusable}`}
        kept="The file is unchanged. Until it is repaired, every step with effects needs your signature in this project."
        todo="Repair or remove the file, then open the folder and trust it again."
      />
    )
  return (
    <div className={own.test} role="group" aria-label={`Rules of ${nameOf(folder)}`}>
      <p>
        {nameOf(folder)} has rules of its own, in <code>{file}</code>. They can only ask or refuse.
      </p>
      <ul>
        {rules.map(({ answer, when }) => (
          <li key={`${answer} ${when.kind} ${when.pattern}`}>
            <span className={answer === 'deny' ? 'strong' : undefined}>{ANSWERS[answer]}</span> {KINDS[when.kind]}
            <code>{when.pattern}</code>
          </li>
        ))}
        {ignored.map((pattern) => (
          <li key={pattern} className="soft">
            Ignored: <code>{pattern}</code> Project rules cannot allow anything.
          </li>
        ))}
      </ul>
    </div>
  )
}

const KINDS: Readonly<Record<Rule['when']['kind'], string>> = { command: '', path: 'Files ', host: 'Network ', tool: 'MCP tool ' }

/** Minimum number of rules for which a search field is shown. */
const SEARCHED_FROM = 4

/** The rules, with a field that searches them if there are several. */
function SearchedRules({ rules, change }: { readonly rules: readonly Rule[]; readonly change: ChangeRules }): ReactNode {
  const [sought, setSought] = useState('')
  if (rules.length < SEARCHED_FROM) return <RuleTable rules={rules} change={change} />
  const wanted = sought.trim().toLowerCase()
  const found = rules.filter((rule) => wordsOf(rule).includes(wanted))
  return (
    <>
      <Field type="search" icon={Search} label="Search the rules" whileEmpty="npm, deny, a folder …" value={sought} onChange={setSought} />
      <p className="soft" role="status">
        {found.length === rules.length ? counted(rules.length, 'rule') : `${found.length} of ${counted(rules.length, 'rule')}`}
      </p>
      {found.length > 0 && <RuleTable rules={found} change={change} />}
    </>
  )
}

const wordsOf = (rule: Rule): string =>
  [rule.answer, ANSWERS[rule.answer], KINDS[rule.when.kind], rule.when.pattern, whereOf(rule), rule.isOn ? 'on' : 'off']
    .join(' ')
    .toLowerCase()

function RuleTable({ rules, change }: { readonly rules: readonly Rule[]; readonly change: ChangeRules }): ReactNode {
  return (
    <table className={classNames(styles.table, own.rules)}>
      <thead>
        <tr>
          <th className={own.answer}>
            <VisuallyHidden>Answer</VisuallyHidden>
          </th>
          <th>When</th>
          <th className={own.where}>Where</th>
          <th className={own.used}>Used</th>
          <th className={own.lastUsed}>Last used</th>
          <th>
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {rules.map((rule) => (
          <RuleRow key={rule.id} rule={rule} change={change} />
        ))}
      </tbody>
    </table>
  )
}

function RuleRow({ rule, change }: { readonly rule: Rule; readonly change: ChangeRules }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const { answer, isOn, when } = rule
  return (
    <>
      <tr className={classNames(styles.row, isOpen && own.opened)}>
        <th scope="row" className={isOn ? TONES[answer] : undefined}>
          {isOn ? ANSWERS[answer] : 'Off'}
        </th>
        <td className={styles.cell}>
          {when.kind !== 'command' && <span className="soft">{KINDS[when.kind]}</span>}
          <code className="strong">{when.pattern}</code>
          {when.kind === 'command' && when.inCopy && <span className="soft"> applies its changes from the copy</span>}
          {when.kind === 'command' && when.way && (
            <span className="soft">{when.way === 'confined' ? ' runs confined to the folder' : ' runs for real, without a copy'}</span>
          )}
          {rule.origin !== 'you' && <span className="soft"> from {rule.origin === 'codex' ? 'Codex' : 'Claude Code'}</span>}
        </td>
        <td>{whereOf(rule)}</td>
        <td>{rule.uses === 0 ? 'not yet' : counted(rule.uses, 'time')}</td>
        <td>{rule.lastUsedAt === null ? '' : lastUse(rule.lastUsedAt)}</td>
        <td className={styles.actions}>
          <RuleActions rule={rule} change={change} isOpen={isOpen} onOpen={() => setOpen(!isOpen)} />
        </td>
      </tr>
      {isOpen && (
        <tr className={own.below}>
          <td colSpan={6} className={own.tested}>
            <SavedRuleBackTest rule={rule} />
          </td>
        </tr>
      )}
    </>
  )
}

/** Styles of the answers: `allow` has the user's color, and `deny` is emphasized. */
const TONES: Readonly<Record<Rule['answer'], string | undefined>> = { allow: own.allows, ask: undefined, deny: 'strong' }

function lastUse(at: number): string {
  const day = new Date(at).toDateString() === new Date().toDateString() ? 'today' : calendarDay(at)
  return `${day} ${clockTime(at)}`
}

interface RuleActionsProps {
  readonly rule: Rule
  readonly change: ChangeRules
  readonly isOpen: boolean
  readonly onOpen: () => void
}

function RuleActions({ rule: { id, isOn }, change, isOpen, onOpen }: RuleActionsProps): ReactNode {
  return (
    <span className={styles.quietActions}>
      <Button small variant="quiet" expanded={isOpen} onPress={onOpen}>
        What it matches
      </Button>
      <Button small variant="quiet" onPress={() => void change((client) => client.rules.switch({ id, isOn: !isOn }))}>
        {isOn ? 'Turn off' : 'Turn on'}
      </Button>
      <Button small variant="quiet" onPress={() => void change((client) => client.rules.remove({ id }))}>
        Remove
      </Button>
    </span>
  )
}

function whereOf({ where }: Rule): string {
  if (where.kind === 'always') return 'every project'
  return where.kind === 'project' ? nameOf(where.folder) : 'one session'
}
