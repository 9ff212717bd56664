import { expect, it } from 'vitest'
import { judgeCommand, needsMoreThanCopy } from '../../main/approval/command-line/judge-command.ts'

const reason = (command: string) => {
  const judgement = judgeCommand(command, { cwd: '/code/project', root: '/code/project', home: '/home/ann' })
  return judgement && needsMoreThanCopy(judgement)
}

it.each([
  ['docker compose up -d', 'docker'],
  ['cd db && docker build .', 'docker'],
  ['FOO=1 timeout 5 ssh host uptime', 'ssh'],
  ['sudo make install', 'sudo'],
  ['cat list | xargs -n1 kubectl get', 'kubectl'],
  ['/usr/bin/systemctl status nginx', 'systemctl'],
])('%s cannot run in a copy, because of %s', (command, program) => {
  expect(reason(command)).toMatch(new RegExp(`^${program} \\S.*\\.$`, 'u'))
})

it.each([
  'npm test',
  'echo docker',
  'grep -r sudo .',
  'docker --version',
  'cat docker/compose.yml',
  'git commit -m "ssh"',
  './docker-build.sh',
  '$((',
])('nothing in %s prevents it from running in a copy', (command) => {
  expect(reason(command)).toBeNull()
})
