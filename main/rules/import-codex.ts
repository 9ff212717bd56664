import { z } from 'zod'
import type { RuleDraft } from '../../shared/api/rules.ts'
import type { Imported } from './import-claude.ts'

const ANSWERS = { allow: 'allow', prompt: 'ask', forbidden: 'deny' } as const
const Pattern = z.array(z.union([z.string(), z.array(z.string()).min(1)])).min(1)
/** Matches comments and strings. Strings are matched (as the first group) because a `#` inside a string does not begin a comment. */
const COMMENTS = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|#.*$/gmu
/** Maximum number of commands that one rule may stand for. A rule with more is not imported. */
const MAX_SPELLINGS = 50

/** Imports the `prefix_rule(…)` calls of a `.rules` file of Codex. Everything else in the file is left out. */
export function importCodex(text: string, where: RuleDraft['where']): Imported {
  const rules: RuleDraft[] = []
  const skipped: { entry: string; why: string }[] = []
  const code = text.replaceAll(COMMENTS, '$1')
  for (const call of code.split(/\b(?=prefix_rule\s*\()/u).filter((part) => part.trim() !== '')) {
    const patterns = spelled(call)
    const decision = /\bdecision\s*=\s*["'](\w+)["']/u.exec(call)?.[1] ?? 'allow'
    if (patterns === null || !isDecision(decision))
      skipped.push({ entry: call.trim().slice(0, 200), why: 'It is not a prefix_rule with a list of words.' })
    else
      rules.push(
        ...patterns.map((words) => ({ answer: ANSWERS[decision], when: { kind: 'command' as const, pattern: `${words}:*` }, where })),
      )
  }
  return { rules, skipped }
}

const isDecision = (text: string): text is keyof typeof ANSWERS => text in ANSWERS

/**
 * Returns every command that a pattern stands for: `["git", ["push", "fetch"]]` gives `git push` and `git fetch`. Null if the pattern
 * cannot be read.
 */
function spelled(call: string): readonly string[] | null {
  const list = /\bpattern\s*=\s*(\[(?:[^[\]]|\[[^[\]]*\])*\])/u.exec(call)?.[1]
  if (list === undefined) return null
  try {
    const pattern = Pattern.parse(JSON.parse(list.replaceAll("'", '"').replaceAll(/,\s*\]/gu, ']')))
    const all = pattern.reduce<readonly string[]>(
      (begun, part) => begun.flatMap((text) => [part].flat().map((word) => `${text} ${word}`.trim())),
      [''],
    )
    return all.length > MAX_SPELLINGS || all.some((text) => /[*\s]{2}|\*/u.test(text)) ? null : all
  } catch {
    return null
  }
}
