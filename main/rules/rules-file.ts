import { randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Rule, type RuleDraft, type RulesState } from '../../shared/api/rules.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { writeDurably } from '../store/blobs/durable-file.ts'

/** Time in ms for which uses are collected before they are written. */
const WRITE_USES_AFTER_MS = 5_000

type PersonsRules = Omit<RulesState, 'projects'>

/** The user's rules, stored in `rules.json` of the data folder. */
export interface RulesFile extends Disposable {
  state(): PersonsRules
  add(drafts: readonly RuleDraft[], origin: Rule['origin']): Result<null, Trouble>
  switch(id: string, isOn: boolean): Result<null, Trouble>
  remove(id: string): Result<null, Trouble>
  /** Counts a use of a rule. The count is written a little later. */
  use(id: string): void
  onChange(listener: () => void): Disposable
}

const FileForm = z.object({ version: z.literal(1), rules: z.array(Rule) })

export function openRulesFile(folder: string): RulesFile {
  const file = join(folder, 'rules.json')
  const changed = new Emitter<void>()
  const uses = new Map<string, { count: number; at: number }>()
  let stamp = ''
  let stored: PersonsRules = { rules: [], trouble: null }
  let timer: NodeJS.Timeout | null = null
  /** Returns the newest rules, including changes that another process wrote. */
  const current = (): PersonsRules => {
    const now = stampOf(file)
    if (now !== stamp) {
      stamp = now
      stored = load(file)
    }
    return stored
  }
  const write = (change: (rules: readonly Rule[]) => readonly Rule[]): Result<null, Trouble> => {
    const { rules, trouble } = current()
    if (trouble) return failed(trouble)
    const text = `${JSON.stringify({ version: 1, rules: change(withUses(rules, uses)) }, null, 2)}\n`
    try {
      writeDurably(join(folder, `.rules-${randomUUID()}`), file, Buffer.from(text))
    } catch (error) {
      return failed(notSaved(error))
    }
    uses.clear()
    current()
    changed.fire()
    return ok(null)
  }
  return {
    state: () => ({ ...current(), rules: withUses(current().rules, uses) }),
    add: (drafts, origin) =>
      write((rules) => [
        ...rules,
        ...drafts.map((draft) => ({ ...draft, id: randomUUID(), origin, isOn: true, addedAt: Date.now(), uses: 0, lastUsedAt: null })),
      ]),
    switch: (id, isOn) => write((rules) => rules.map((rule) => (rule.id === id ? { ...rule, isOn } : rule))),
    remove: (id) => write((rules) => rules.filter((rule) => rule.id !== id)),
    use(id) {
      uses.set(id, { count: (uses.get(id)?.count ?? 0) + 1, at: Date.now() })
      timer ??= setTimeout(() => {
        timer = null
        write((rules) => rules)
      }, WRITE_USES_AFTER_MS).unref()
    },
    onChange: (listener) => changed.event(listener),
    dispose() {
      if (timer) clearTimeout(timer)
      if (uses.size > 0) write((rules) => rules)
    },
  }
}

function withUses(rules: readonly Rule[], uses: ReadonlyMap<string, { readonly count: number; readonly at: number }>): readonly Rule[] {
  return rules.map((rule) => {
    const use = uses.get(rule.id)
    return use ? { ...rule, uses: rule.uses + use.count, lastUsedAt: use.at } : rule
  })
}

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat ? `${stat.ino} ${stat.mtimeNs} ${stat.size}` : 'none'
}

function load(file: string): PersonsRules {
  try {
    const form = FileForm.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    if (form.success) return { rules: form.data.rules, trouble: null }
    return { rules: [], trouble: unusable(file, form.error.issues[0]?.message ?? 'it does not have the required form') }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { rules: [], trouble: null }
    return { rules: [], trouble: unusable(file, error instanceof Error ? error.message : String(error)) }
  }
}

function unusable(file: string, why: string): Trouble {
  return {
    code: 'rules_unusable',
    what: `The rules in ${file} cannot be used: ${why}`,
    kept: 'The file is unchanged. Until it is repaired, every step with effects needs your signature.',
    todo: 'Repair or remove the file.',
  }
}

function notSaved(error: unknown): Trouble {
  const reason = error instanceof Error ? error.message : String(error)
  return {
    code: 'rules_not_saved',
    what: `The rules could not be saved: ${reason}`,
    kept: 'The rules are unchanged.',
    todo: 'Make the data folder writable and free some space, then try again.',
  }
}
