import { expect, it } from 'vitest'
import type { RuleDraft } from '../../shared/api/rules.ts'
import type { Effect } from '../../shared/session/effects.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import { createPolicy } from '../../main/approval/policy.ts'
import { fitsIgnoreLine } from '../../main/environment/search/ignore/ignore-rule.ts'
import { withRules } from '../../main/rules/ruled-policy.ts'

const PLACE = { root: '/ws', home: '/home/ada', fitsPath: fitsIgnoreLine }

function verdict(answer: RuleDraft['answer'], pattern: string, command: string, mode: ApprovalMode): string {
  const effect: Effect = { kind: 'command', command, cwd: '/ws', outside: false, env: {}, timeoutMs: 1, destructive: false }
  const rules: readonly RuleDraft[] = [{ answer, when: { kind: 'command', pattern }, where: { kind: 'always' } }]
  return withRules(createPolicy(PLACE), { ...PLACE, rules: () => rules, onUse: () => {} }).judge([effect], mode).kind
}

it.each<[string, string, string]>([
  ['git -C . push', 'git push:*', 'deny'],
  ['git --no-pager push origin', 'git push:*', 'deny'],
  ['git --git-dir .git --work-tree . push', 'git push:*', 'deny'],
  ['git -c user.name=a push', 'git push', 'deny'],
  ['sudo git -C /ws push', 'git push:*', 'deny'],
  ['git ${x:-push}', 'git push:*', 'ask'],
  ['x=push; git "$x" origin', 'git push:*', 'ask'],
  ['git p', 'git push:*', 'ask'],
  ['git -c alias.p=push p', 'git push:*', 'ask'],
  ['echo push origin | xargs git', 'git push:*', 'ask'],
  ['sudo xargs -a list git', 'git push:*', 'ask'],
  ['xargs git add', 'git push:*', 'allow'],
  ['find . -exec git push \\;', 'git push', 'deny'],
  ['find . -execdir git push {} +', 'git push', 'deny'],
  ['shopt -s expand_aliases\nalias p="git push"\np', 'git push:*', 'deny'],
  ['alias g=git\ng push', 'git push:*', 'ask'],
  ['alias p=git\\ push\np', 'git push:*', 'ask'],
  ['alias p=g"it push"\np', 'git push:*', 'ask'],
  ['git-push origin', 'git push:*', 'deny'],
  ['sudo /usr/lib/git-core/git-push', 'git push', 'deny'],
  ['systemd-run --user git push', 'git push', 'deny'],
  ['flatpak-spawn --host git push', 'git push', 'deny'],
  ['nsenter -t 1 -m git push', 'git push', 'deny'],
  ['docker run --rm -v .:/w alpine/git git push', 'git push', 'deny'],
  ['podman exec c sh -c "git push"', 'git push', 'deny'],
  ["tmux new -d 'git push'", 'git push', 'deny'],
  ["tmux new -d 'cd a; git push'", 'git push', 'ask'],
  ['screen -dm bash script', 'git push', 'ask'],
  ['echo git push | at now', 'git push', 'ask'],
  ['batch < list', 'git push', 'ask'],
  ['parallel git ::: push', 'git push', 'ask'],
  ['docker run --rm image', 'git push', 'ask'],
  ['nohup docker exec c run', 'git push', 'ask'],
  ['docker compose up', 'git push', 'allow'],
  ['docker ps', 'git push', 'allow'],
  ['git status', 'git push:*', 'allow'],
  ['git log "$range"', 'git push:*', 'allow'],
  ['npm "$x"', 'git push:*', 'allow'],
])('%s, with a rule that denies %s: %s (X9)', (command, pattern, expected) => {
  expect(verdict('deny', pattern, command, 'full')).toBe(expected)
})

it.each([
  ['cat ../x', 'ask'],
  ['cat src/../../x', 'ask'],
  ['cat /home/ada/x', 'ask'],
  ['cat sub/x', 'allow'],
])('a rule that allows cat * and %s: %s (X9)', (command, expected) => {
  expect(verdict('allow', 'cat *', command, 'ask')).toBe(expected)
})

it.each<[string, string, string]>([
  ['docker run:*', 'docker run --rm alpine rm -r x', 'ask'],
  ['podman exec *', 'podman exec c rm -r x', 'ask'],
  ['systemd-run:*', 'systemd-run --user npm test', 'ask'],
  ['npm test', 'systemd-run --user npm test', 'ask'],
  ['npm test', 'tmux new npm test', 'ask'],
  ['tmux *', "tmux new 'npm test'", 'ask'],
  ['at:*', 'echo npm test | at now', 'ask'],
  ['systemd-run --user npm test', 'systemd-run --user npm test', 'allow'],
  ['docker ps:*', 'docker ps -a', 'allow'],
  ['docker compose:*', 'docker compose up -d', 'allow'],
])('a rule that allows %s and %s: %s', (pattern, command, expected) => {
  expect(verdict('allow', pattern, command, 'ask')).toBe(expected)
})
