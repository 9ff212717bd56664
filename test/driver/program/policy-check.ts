import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { RuleDraft } from '../../../shared/api/rules.ts'
import type { CommandEffect } from '../../../shared/session/effects.ts'
import { APPROVAL_MODES } from '../../../shared/session/settings/approval-mode.ts'
import { judgeCommand } from '../../../main/approval/command-line/judge-command.ts'
import { createPolicy } from '../../../main/approval/policy.ts'
import { withRules } from '../../../main/rules/ruled-policy.ts'
import { fitsIgnoreLine } from '../../../main/environment/search/ignore/ignore-rule.ts'

export const policyCheckArguments = z.object({
  command: z.string().optional(),
  argv: z.array(z.string()).min(1).optional(),
  tool: z.string().optional(),
  toolArgs: z.record(z.string(), z.unknown()).optional(),
  shell: z.string().optional(),
  mode: z.enum(APPROVAL_MODES).optional(),
  rules: z.array(RuleDraft.pick({ answer: true, when: true })).optional(),
  platform: z.string().optional(),
  sandbox: z.boolean().optional(),
})

export interface PolicyCheck {
  readonly decision: 'allow' | 'ask' | 'deny'
  /** The commands of the line. Empty if the line is not understood. */
  readonly commands: readonly string[]
  readonly reasons: readonly string[]
}

/**
 * What the policy says about a command from its text, without running it or reading the disk. With a sandbox, a command may run in a copy
 * in every mode except `full`, unless its program needs more than a copy. The changes it makes in the copy are judged afterwards.
 */
export async function policyCheck(cwd: string, args: z.infer<typeof policyCheckArguments>): Promise<PolicyCheck> {
  const command = commandOf(args)
  if (command === null) throw new Error('Pass `command`, `argv`, or `tool` with `toolArgs.command`.')
  const { mode = 'ask', shell = 'bash', sandbox = false, platform = process.platform } = args
  const isBash = platform !== 'win32' && /(?:^|\/)(?:ba|da)?sh$/u.test(shell)
  const place = { root: cwd, home: homedir() }
  const policy = withRules(createPolicy({ ...place, platform: isBash ? platform : 'win32' }), {
    ...place,
    fitsPath: fitsIgnoreLine,
    rules: () => args.rules ?? [],
    onUse: () => {},
  })
  const words: CommandEffect = {
    kind: 'command',
    command,
    cwd: resolve(cwd),
    outside: false,
    env: {},
    timeoutMs: 10_000,
    destructive: false,
  }
  const [looked = words] = await policy.look([words])
  const way = sandbox && isBash && looked.kind === 'command' ? policy.sandboxFor(looked, mode, null) : null
  const effect = way ? { ...words, sandbox: way } : words
  const verdict = policy.judge([effect], mode)
  const judgement = isBash ? judgeCommand(command, { ...place, cwd }) : null
  const commands = judgement?.line.runs.flatMap(({ words }) => (words.length > 0 ? [words.map(({ text }) => text).join(' ')] : [])) ?? []
  if (verdict.kind !== 'allow') return { decision: verdict.kind, commands, reasons: [verdict.reason] }
  if (effect.sandbox === 'copy')
    return { decision: 'allow', commands, reasons: ['The command runs in a copy; its changes there are judged afterwards.'] }
  return { decision: 'allow', commands, reasons: [verdict.by.kind === 'rule' ? `rule ${verdict.by.rule}` : `mode ${mode}`] }
}

function commandOf({ command, argv, tool, toolArgs }: z.infer<typeof policyCheckArguments>): string | null {
  if (command !== undefined) return command
  if (argv) return argv.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')
  const given = tool === undefined ? undefined : toolArgs?.['command']
  return typeof given === 'string' ? given : null
}
