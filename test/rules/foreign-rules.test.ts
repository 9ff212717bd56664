import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { foreignRules } from '../../main/rules/foreign-rules.ts'
import { importClaude } from '../../main/rules/import-claude.ts'
import { importCodex } from '../../main/rules/import-codex.ts'
import { plant, tempFolder } from '../environment/support.ts'

const ALWAYS = { kind: 'always' } as const

describe('rules of other agents', () => {
  it('Claude Code: entries with the same meaning become rules, and the others are reported', () => {
    const permissions = {
      allow: ['Bash(npm run test:*)', 'Bash(git * main)', 'Bash', 'WebFetch(domain:*.a.org)', 'mcp__x'],
      ask: ['Bash(git push *)'],
      deny: ['Edit(/secret/**)', 'Read(.env)'],
    }
    const { rules, skipped } = importClaude(JSON.stringify({ permissions }), ALWAYS)
    expect(rules.map(({ answer, when }) => `${answer} ${when.kind} ${when.pattern}`)).toEqual([
      'deny path /secret/**',
      'ask command git push *',
      'allow command npm run test:*',
      'allow host *.a.org',
    ])
    expect(skipped.map(({ entry }) => entry)).toEqual(['Read(.env)', 'Bash(git * main)', 'Bash', 'mcp__x'])
  })

  it('Codex: prefix rules are imported, and the strictest still wins', () => {
    const text = `# mine\nprefix_rule(pattern=["git", ["push", "fetch"]], decision="prompt", match=[["git","push"]])\nprefix_rule(pattern = ['rm'], decision='forbidden')\nprefix_rule(\n  pattern=["npm", "test",],\n)\nother_rule(x)\n`
    const { rules, skipped } = importCodex(text, ALWAYS)
    expect(rules.map(({ answer, when }) => `${answer} ${when.pattern}`)).toEqual([
      'ask git push:*',
      'ask git fetch:*',
      'deny rm:*',
      'allow npm test:*',
    ])
    expect(skipped).toEqual([])
    expect(importCodex('prefix_rule(decision="allow")', ALWAYS).skipped.length).toBe(1)
  })

  it('Codex: a comment has no effect', () => {
    const text = `prefix_rule(\n  pattern=["echo", "#"], # was decision="allow"\n  decision="forbidden",\n)\n`
    expect(importCodex(text, ALWAYS).rules).toMatchObject([{ answer: 'deny', when: { pattern: 'echo #:*' } }])
  })

  it('apply to every project if they are in the home folder, and only to their project otherwise, and an unusable file is reported', () => {
    const home = tempFolder()
    const folder = tempFolder()
    plant(home, {
      '.claude/settings.json': '{"permissions":{"allow":["Bash(npm test)"]}}',
      '.codex/rules/a.rules': 'prefix_rule(pattern=["rm"], decision="forbidden")',
    })
    plant(folder, {
      '.claude/settings.local.json': '{"permissions":{"deny":["Bash(git push:*)"]}}',
      '.claude/settings.json': '{"permissions"',
    })
    const found = foreignRules('claude-code', home, folder)
    expect(found.rules.map(({ when, where }) => [when.pattern, where])).toEqual([
      ['npm test', ALWAYS],
      ['git push:*', { kind: 'project', folder }],
    ])
    expect(found.skipped.map(({ entry }) => entry)).toEqual(['the whole file'])
    expect(foreignRules('codex', home, null)).toMatchObject({ files: [join(home, '.codex/rules/a.rules')], rules: [{ answer: 'deny' }] })
    expect(foreignRules('codex', folder, null)).toEqual({ files: [], rules: [], skipped: [] })
  })
})
