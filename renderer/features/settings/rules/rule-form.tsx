import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { BackTest, RuleDraft } from '../../../../shared/api/rules.ts'
import { naturalOrder } from '../../../../shared/lib/natural-order.ts'
import { useDesk, useView } from '../../../state/desk-context.ts'
import { nameOf } from '../../../state/stores/session-list.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Field } from '../../../ui/controls/field.tsx'
import { Select } from '../../../ui/controls/select/select.tsx'
import { RuleBackTest } from './back-test.tsx'
import own from './rules.module.css'
import { ANSWERS, type ChangeRules } from './use-rules.ts'

const ALWAYS = 'always'

/** A form for a new rule. The rule is tested against the user's own history before it can be saved. */
export function RuleForm({ change }: { readonly change: ChangeRules }): ReactNode {
  const desk = useDesk()
  const folders = useStore(
    desk.list,
    useShallow(({ sessions }) => [...new Set([...sessions.values()].map(({ folder }) => folder))].toSorted(naturalOrder)),
  )
  const asked = useView((view) => view.newRule)
  const [answer, setAnswer] = useState<RuleDraft['answer']>(asked?.answer ?? 'allow')
  const [kind, setKind] = useState<RuleDraft['when']['kind']>(asked?.when.kind ?? 'command')
  const [pattern, setPattern] = useState(asked?.when.pattern ?? '')
  const [where, setWhere] = useState<string>(asked?.where.kind === 'project' ? asked.where.folder : ALWAYS)
  // The request is cleared, so that the form begins empty next time.
  useEffect(() => {
    if (asked) desk.view.setState({ newRule: null })
  }, [desk, asked])
  const [tried, setTried] = useState<Tried | null>(null)
  /** The number of edits. If the user edits a rule while it is being tested, the tested version must not be offered for saving. */
  const edits = useRef(0)
  const forget = (): void => {
    edits.current++
    setTried(null)
  }
  const edited =
    <T,>(set: (value: T) => void): ((value: T) => void) =>
    (value) => {
      set(value)
      forget()
    }
  const draft: RuleDraft = {
    answer,
    when: { kind, pattern: pattern.trim() },
    where: where === ALWAYS ? { kind: ALWAYS } : { kind: 'project', folder: where },
  }
  const tryOut = async (): Promise<void> => {
    const before = edits.current
    await change(async (client) => {
      const test = await client.rules.backTest({ rules: [draft] })
      if (edits.current === before) setTried({ rule: draft, test })
      return { ok: true }
    })
  }
  const add = async (rule: RuleDraft): Promise<void> => {
    const isAdded = await change((client) => client.rules.add({ rules: [rule], origin: 'you' }))
    if (!isAdded) return
    setPattern('')
    forget()
  }
  return (
    <>
      <div className={own.form}>
        <Select variant="field" label="Answer" options={ANSWER_OPTIONS} selected={answer} onSelect={edited(setAnswer)} />
        <Select variant="field" label="Applies to" options={KINDS} selected={kind} onSelect={edited(setKind)} />
        <Field label="Pattern of the new rule" mono value={pattern} onChange={edited(setPattern)} whileEmpty={EXAMPLES[kind]} />
        <Select
          variant="field"
          label="Where"
          options={[
            { id: ALWAYS, label: 'every project' },
            ...folders.map((folder) => ({ id: folder, label: nameOf(folder), hint: folder })),
          ]}
          selected={where}
          onSelect={edited(setWhere)}
        />
        <Button small disabledReason={draft.when.pattern === '' ? 'Type a pattern first' : null} onPress={() => void tryOut()}>
          Try on my history
        </Button>
      </div>
      {answer === 'deny' && kind === 'path' && <p className="soft">{ABOUT_DENIED_FILES}</p>}
      {answer === 'deny' && kind === 'command' && <p className="soft">{ABOUT_DENIED_COMMANDS}</p>}
      {tried && <TriedRule {...tried} onSave={() => void add(tried.rule)} />}
    </>
  )
}

interface Tried {
  readonly rule: RuleDraft
  readonly test: BackTest
}

/** What a rule would have changed in past sessions, and the button that saves the rule. */
function TriedRule({ rule, test, onSave }: Tried & { readonly onSave: () => void }): ReactNode {
  return (
    <div className={own.test} role="status">
      <RuleBackTest rule={rule} test={test} />
      <Button small onPress={onSave}>
        Save rule
      </Button>
    </div>
  )
}

const ABOUT_DENIED_FILES =
  'The agent cannot read, search or change these files. Commands in a copy, and confined commands, hooks and MCP servers, cannot open them; a rule for one session does not reach MCP servers, which all sessions share. What has your full rights can open them: such a command is judged by its words only, and so is what git shows of earlier commits.'
const ABOUT_DENIED_COMMANDS =
  'A command is judged by its words. If they do not show what runs, you are asked. What a script or program starts is not visible in the words.'
const ANSWER_OPTIONS = (['allow', 'ask', 'deny'] as const).map((id) => ({ id, label: ANSWERS[id] }))
const KINDS = [
  { id: 'command', label: 'Command' },
  { id: 'path', label: 'Files' },
  { id: 'host', label: 'Host' },
  { id: 'tool', label: 'MCP tool' },
] as const
const EXAMPLES: Readonly<Record<RuleDraft['when']['kind'], string>> = {
  command: 'npm run:*',
  path: '/dist/',
  host: '*.example.com',
  tool: 'mcp__tickets__*',
}
